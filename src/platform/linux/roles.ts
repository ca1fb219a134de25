/**
 * AtspiRole to role, by number: the numbers are the protocol's and never change, while the
 * printed names do ("push button" became "button" in at-spi2-core 2.53).
 */
import type { Role } from "../../tree/roles.ts";
import { hasState, STATE } from "./states.ts";

/** Role numbers the reader decides by (atspi-constants.h, `AtspiRole`). */
export const ATSPI_ROLE = {
  desktopFrame: 14,
  dial: 15,
  filler: 20,
  label: 29,
  listItem: 32,
  panel: 39,
  passwordText: 40,
  scrollBar: 48,
  scrollPane: 49,
  slider: 51,
  spinButton: 52,
  text: 61,
  application: 75,
  section: 85,
  landmark: 110,
  static: 116,
} as const;

// Index is the AtspiRole number; "" stands for a role outside the vocabulary.
// deno-fmt-ignore
const TABLE: readonly (Role | "")[] = [
  /*   0 */ "", "statictext", "alert", "image", "image", "group", "group", "checkbox",
  /*   8 */ "menuitem", "colorwell", "column", "combobox", "datefield", "button", "window", "slider",
  /*  16 */ "dialog", "group", "group", "dialog", "group", "group", "dialog", "window",
  /*  24 */ "group", "group", "image", "image", "group", "statictext", "group", "list",
  /*  32 */ "group", "menu", "menu", "menuitem", "dialog", "tab", "tablist", "group",
  /*  40 */ "textfield", "menu", "progressbar", "button", "radiobutton", "menuitem", "group", "cell",
  /*  48 */ "scrollbar", "scrollarea", "separator", "slider", "incrementor", "splitter", "status", "table",
  /*  56 */ "cell", "column", "cell", "menuitem", "textfield", "statictext", "button", "toolbar",
  /*  64 */ "tooltip", "outline", "outline", "", "group", "window", "", "banner",
  /*  72 */ "contentinfo", "paragraph", "ruler", "application", "combobox", "textfield", "group", "textfield",
  /*  80 */ "image", "statictext", "document", "heading", "region", "group", "group", "form",
  /*  88 */ "link", "window", "row", "treeitem", "document", "document", "document", "webarea",
  /*  96 */ "document", "note", "listbox", "group", "image", "alert", "status", "levelindicator",
  /* 104 */ "group", "group", "group", "group", "definition", "article", "region", "log",
  /* 112 */ "marquee", "math", "levelindicator", "timer", "statictext", "math", "math", "group",
  /* 120 */ "group", "list", "term", "definition", "note", "group", "group", "group",
  /* 128 */ "group", "menubutton", "switch",
];

/** Top-level roles that count as windows (observation §11.1). */
export const WINDOW_ROLES: ReadonlySet<number> = new Set([2, 9, 14, 16, 19, 22, 23, 36, 69]);

/** Wrapper roles that consume no logical depth while they say nothing themselves. */
export const WRAPPER_ROLES: ReadonlySet<number> = new Set([
  ATSPI_ROLE.filler,
  ATSPI_ROLE.panel,
  ATSPI_ROLE.section,
]);

/** Roles whose Value interface may be written (observation §13). */
export const SETTABLE_VALUE_ROLES: ReadonlySet<number> = new Set([
  ATSPI_ROLE.dial,
  ATSPI_ROLE.scrollBar,
  ATSPI_ROLE.slider,
  ATSPI_ROLE.spinButton,
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
  if (number === ATSPI_ROLE.text) {
    return hasState(states, STATE.editable) ? "textfield" : "statictext";
  }
  if (number === ATSPI_ROLE.listItem) {
    return hasState(states, STATE.selectable) ? "option" : "group";
  }
  if (number === ATSPI_ROLE.landmark && xmlRoles) {
    for (const name of xmlRoles.split(/\s+/)) {
      const landmark = LANDMARKS[name];
      if (landmark) return landmark;
    }
  }
  return TABLE[number] || "unknown";
}
