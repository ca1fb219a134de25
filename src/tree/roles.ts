/** The role vocabulary (observation §11) and the sets the rules speak of. */

export const ROLES = [
  "alert",
  "alertdialog",
  "application",
  "article",
  "banner",
  "browser",
  "button",
  "cell",
  "checkbox",
  "colorwell",
  "column",
  "combobox",
  "complementary",
  "contentinfo",
  "datefield",
  "definition",
  "dialog",
  "disclosure",
  "dockitem",
  "document",
  "drawer",
  "form",
  "grid",
  "group",
  "handle",
  "heading",
  "helptag",
  "image",
  "incrementor",
  "layoutitem",
  "levelindicator",
  "link",
  "list",
  "listbox",
  "log",
  "main",
  "marquee",
  "matte",
  "math",
  "menu",
  "menubutton",
  "menuitem",
  "navigation",
  "note",
  "option",
  "outline",
  "paragraph",
  "popover",
  "progressbar",
  "radiobutton",
  "radiogroup",
  "region",
  "relevanceindicator",
  "row",
  "ruler",
  "rulermarker",
  "scrollarea",
  "scrollbar",
  "search",
  "separator",
  "sheet",
  "slider",
  "splitter",
  "statictext",
  "status",
  "switch",
  "tab",
  "tablist",
  "tabpanel",
  "table",
  "term",
  "textfield",
  "timefield",
  "timer",
  "toolbar",
  "tooltip",
  "treeitem",
  "webarea",
  "window",
  "unknown",
] as const;
export type Role = typeof ROLES[number];

/** Roles that get a ref by themselves. */
export const INTERACTIVE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "button",
  "cell",
  "checkbox",
  "colorwell",
  "combobox",
  "dockitem",
  "incrementor",
  "link",
  "listbox",
  "menubutton",
  "menuitem",
  "option",
  "radiobutton",
  "slider",
  "switch",
  "tab",
  "textfield",
  "treeitem",
]);

/** Roles with an on/off value. */
export const TOGGLEABLE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "checkbox",
  "switch",
  "radiobutton",
]);

/** Roles that open and close. */
export const EXPANDABLE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "combobox",
  "menubutton",
  "treeitem",
  "disclosure",
]);

/** Roles whose value changes in use, so that it is never identity. */
export const MUTABLE_VALUE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "combobox",
  "checkbox",
  "incrementor",
  "listbox",
  "radiobutton",
  "slider",
  "switch",
  "textfield",
]);

const ALIASES: Readonly<Record<string, Role>> = {
  gridcell: "cell",
  img: "image",
  radio: "radiobutton",
  searchbox: "textfield",
  searchfield: "textfield",
  textarea: "textfield",
  textbox: "textfield",
  spinbutton: "incrementor",
  togglebutton: "button",
  tree: "outline",
};

const KNOWN: ReadonlySet<string> = new Set(ROLES);

/** Whether `role` is a canonical role other than `unknown`. */
export function isKnownRole(role: string): role is Exclude<Role, "unknown"> {
  return role !== "unknown" && KNOWN.has(role);
}

/**
 * The role a query names, aliases resolved; `undefined` when it names none (and for `unknown`,
 * which nothing may ask for).
 */
export function parseRoleQuery(text: string): Role | undefined {
  const wanted = text.trim().toLowerCase();
  const role = ALIASES[wanted] ?? wanted;
  return isKnownRole(role) ? role : undefined;
}
