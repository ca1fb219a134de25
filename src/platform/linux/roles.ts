/** From AT-SPI's roles to the tree's, and the sets of roles that several files decide by. */
import type { Role } from "../../tree/roles.ts";
import { hasState, ROLE, type RoleNumber, STATE } from "./atspi.ts";

// What each AT-SPI role is called here; `undefined` is outside the vocabulary. A role that is added
// to `ROLE` must be added here as well.
const TREE_ROLES: Readonly<Record<RoleNumber, Role | undefined>> = {
  [ROLE.invalid]: undefined,
  [ROLE.acceleratorLabel]: "statictext",
  [ROLE.alert]: "alert",
  [ROLE.animation]: "image",
  [ROLE.arrow]: "image",
  [ROLE.calendar]: "group",
  [ROLE.canvas]: "group",
  [ROLE.checkBox]: "checkbox",
  [ROLE.checkMenuItem]: "menuitem",
  [ROLE.colorChooser]: "colorwell",
  [ROLE.columnHeader]: "column",
  [ROLE.comboBox]: "combobox",
  [ROLE.dateEditor]: "datefield",
  [ROLE.desktopIcon]: "button",
  [ROLE.desktopFrame]: "window",
  [ROLE.dial]: "slider",
  [ROLE.dialog]: "dialog",
  [ROLE.directoryPane]: "group",
  [ROLE.drawingArea]: "group",
  [ROLE.fileChooser]: "dialog",
  [ROLE.filler]: "group",
  [ROLE.focusTraversable]: "group",
  [ROLE.fontChooser]: "dialog",
  [ROLE.frame]: "window",
  [ROLE.glassPane]: "group",
  [ROLE.htmlContainer]: "group",
  [ROLE.icon]: "image",
  [ROLE.image]: "image",
  [ROLE.internalFrame]: "group",
  [ROLE.label]: "statictext",
  [ROLE.layeredPane]: "group",
  [ROLE.list]: "list",
  [ROLE.listItem]: "group",
  [ROLE.menu]: "menu",
  [ROLE.menuBar]: "menu",
  [ROLE.menuItem]: "menuitem",
  [ROLE.optionPane]: "dialog",
  [ROLE.pageTab]: "tab",
  [ROLE.pageTabList]: "tablist",
  [ROLE.panel]: "group",
  [ROLE.passwordText]: "textfield",
  [ROLE.popupMenu]: "menu",
  [ROLE.progressBar]: "progressbar",
  [ROLE.pushButton]: "button",
  [ROLE.radioButton]: "radiobutton",
  [ROLE.radioMenuItem]: "menuitem",
  [ROLE.rootPane]: "group",
  [ROLE.rowHeader]: "cell",
  [ROLE.scrollBar]: "scrollbar",
  [ROLE.scrollPane]: "scrollarea",
  [ROLE.separator]: "separator",
  [ROLE.slider]: "slider",
  [ROLE.spinButton]: "incrementor",
  [ROLE.splitPane]: "splitter",
  [ROLE.statusBar]: "status",
  [ROLE.table]: "table",
  [ROLE.tableCell]: "cell",
  [ROLE.tableColumnHeader]: "column",
  [ROLE.tableRowHeader]: "cell",
  [ROLE.tearoffMenuItem]: "menuitem",
  [ROLE.terminal]: "textfield",
  [ROLE.text]: "statictext",
  [ROLE.toggleButton]: "button",
  [ROLE.toolBar]: "toolbar",
  [ROLE.toolTip]: "tooltip",
  [ROLE.tree]: "outline",
  [ROLE.treeTable]: "outline",
  [ROLE.unknown]: undefined,
  [ROLE.viewport]: "group",
  [ROLE.window]: "window",
  [ROLE.extended]: undefined,
  [ROLE.header]: "banner",
  [ROLE.footer]: "contentinfo",
  [ROLE.paragraph]: "paragraph",
  [ROLE.ruler]: "ruler",
  [ROLE.application]: "application",
  [ROLE.autocomplete]: "combobox",
  [ROLE.editbar]: "textfield",
  [ROLE.embedded]: "group",
  [ROLE.entry]: "textfield",
  [ROLE.chart]: "image",
  [ROLE.caption]: "statictext",
  [ROLE.documentFrame]: "document",
  [ROLE.heading]: "heading",
  [ROLE.page]: "region",
  [ROLE.section]: "group",
  [ROLE.redundantObject]: "group",
  [ROLE.form]: "form",
  [ROLE.link]: "link",
  [ROLE.inputMethodWindow]: "window",
  [ROLE.tableRow]: "row",
  [ROLE.treeItem]: "treeitem",
  [ROLE.documentSpreadsheet]: "document",
  [ROLE.documentPresentation]: "document",
  [ROLE.documentText]: "document",
  [ROLE.documentWeb]: "webarea",
  [ROLE.documentEmail]: "document",
  [ROLE.comment]: "note",
  [ROLE.listBox]: "listbox",
  [ROLE.grouping]: "group",
  [ROLE.imageMap]: "image",
  [ROLE.notification]: "alert",
  [ROLE.infoBar]: "status",
  [ROLE.levelBar]: "levelindicator",
  [ROLE.titleBar]: "group",
  [ROLE.blockQuote]: "group",
  [ROLE.audio]: "group",
  [ROLE.video]: "group",
  [ROLE.definition]: "definition",
  [ROLE.article]: "article",
  [ROLE.landmark]: "region",
  [ROLE.log]: "log",
  [ROLE.marquee]: "marquee",
  [ROLE.math]: "math",
  [ROLE.rating]: "levelindicator",
  [ROLE.timer]: "timer",
  [ROLE.static]: "statictext",
  [ROLE.mathFraction]: "math",
  [ROLE.mathRoot]: "math",
  [ROLE.subscript]: "group",
  [ROLE.superscript]: "group",
  [ROLE.descriptionList]: "list",
  [ROLE.descriptionTerm]: "term",
  [ROLE.descriptionValue]: "definition",
  [ROLE.footnote]: "note",
  [ROLE.contentDeletion]: "group",
  [ROLE.contentInsertion]: "group",
  [ROLE.mark]: "group",
  [ROLE.suggestion]: "group",
  [ROLE.pushButtonMenu]: "menubutton",
  [ROLE.switch]: "switch",
};

const DIALOGS = [
  ROLE.colorChooser,
  ROLE.dialog,
  ROLE.fileChooser,
  ROLE.fontChooser,
  ROLE.optionPane,
];

/** Roles of dialogs, also of those that toolkits bring ready-made. */
export const DIALOG_ROLES: ReadonlySet<number> = new Set(DIALOGS);

/** Top-level roles that count as windows (docs/linux.md, "Applications, windows, processes"). */
export const WINDOW_ROLES: ReadonlySet<number> = new Set([
  ...DIALOGS,
  ROLE.alert,
  ROLE.desktopFrame,
  ROLE.frame,
  ROLE.window,
]);

/**
 * Roles of top-levels that are no windows but belong to one: menus, tips, the list of a combo box.
 * Any other top-level that shows and has a size is a window (a plain widget of Qt is a filler).
 */
export const NO_WINDOW_ROLES: ReadonlySet<number> = new Set([
  ROLE.application,
  ROLE.inputMethodWindow,
  ROLE.list,
  ROLE.listBox,
  ROLE.menu,
  ROLE.menuBar,
  ROLE.menuItem,
  ROLE.notification,
  ROLE.popupMenu,
  ROLE.redundantObject,
  ROLE.toolTip,
]);

/** Roles of GTK 4's popovers, which have none of their own: panel, before 4.10 filler. */
export const POPOVER_ROLES: ReadonlySet<number> = new Set([ROLE.filler, ROLE.panel]);

/** Wrapper roles that consume no logical depth while they say nothing themselves. */
export const WRAPPER_ROLES: ReadonlySet<number> = new Set([
  ROLE.filler,
  ROLE.panel,
  ROLE.section,
]);

/** Roles whose Value interface may be written (docs/linux.md, "Actions"). */
export const SETTABLE_VALUE_ROLES: ReadonlySet<number> = new Set([
  ROLE.dial,
  ROLE.scrollBar,
  ROLE.slider,
  ROLE.spinButton,
]);

// xml-roles of landmarks, where a toolkit reports them (ARIA landmark names).
const LANDMARKS: Readonly<Record<string, Role>> = {
  banner: "banner",
  complementary: "complementary",
  contentinfo: "contentinfo",
  form: "form",
  main: "main",
  navigation: "navigation",
  region: "region",
  search: "search",
};

/** What a landmark can turn out to be once its `xml-roles` are read. */
export const LANDMARK_ROLES: ReadonlySet<Role> = new Set(Object.values(LANDMARKS));

/** The role of an accessible from its role number, its states and (for landmarks) `xml-roles`. */
export function roleOf(number: number, states: readonly number[], xmlRoles?: string): Role {
  if (number === ROLE.text) {
    return hasState(states, STATE.editable) ? "textfield" : "statictext";
  }
  if (number === ROLE.listItem) {
    return hasState(states, STATE.selectable) ? "option" : "group";
  }
  if (number === ROLE.landmark && xmlRoles) {
    for (const name of xmlRoles.split(/\s+/)) {
      const landmark = LANDMARKS[name];
      if (landmark) return landmark;
    }
  }
  return TREE_ROLES[number as RoleNumber] ?? "unknown";
}
