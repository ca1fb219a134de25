/**
 * The role vocabulary, and everything the program asks of a role, in one table: one line a role,
 * one column a question. A role without an answer to each of them does not compile.
 */

const COLUMNS = [
  /** Made to be operated: gets a ref by itself, and is named by its labels. */
  "interactive",
  /** Has an on/off value. */
  "toggleable",
  /** Opens and closes. */
  "expandable",
  /** An item that is selected or not, in a container that holds the selection. */
  "selectable",
  /** Holds options, of which `select` chooses one whether the control says so or not. */
  "hasOptions",
  /** Takes typed text unless it is read-only. */
  "editable",
  /** Its value changes in use, so the value never says which element it is. */
  "mutableValue",
  /** `get text` tells what it holds; of other roles what they are called. */
  "textIsValue",
  /** Text in its children is what it holds, and so never taken for its name. */
  "childrenAreValue",
  /** May be there for layout alone: an empty one says nothing. */
  "wrapper",
] as const;

/** What can be asked of a role: a column of the table. */
export type RoleTrait = typeof COLUMNS[number];

/** One answer for each column, in their order. */
type Answers<Columns extends readonly string[]> = { readonly [Column in keyof Columns]: boolean };

/** Yes and no, as short as a table needs them. */
const Y = true;
const _ = false;

// deno-fmt-ignore -- a table is read by its columns
const TABLE = {
  //                 interactive
  //                 |  toggleable
  //                 |  |  expandable
  //                 |  |  |  selectable
  //                 |  |  |  |  hasOptions
  //                 |  |  |  |  |  editable
  //                 |  |  |  |  |  |  mutableValue
  //                 |  |  |  |  |  |  |  textIsValue
  //                 |  |  |  |  |  |  |  |  childrenAreValue
  //                 |  |  |  |  |  |  |  |  |  wrapper
  alert:            [_, _, _, _, _, _, _, _, _, _],
  alertdialog:      [_, _, _, _, _, _, _, _, _, _],
  application:      [_, _, _, _, _, _, _, _, _, _],
  article:          [_, _, _, _, _, _, _, _, _, _],
  banner:           [_, _, _, _, _, _, _, _, _, _],
  browser:          [_, _, _, _, _, _, _, _, _, _],
  button:           [Y, _, _, _, _, _, _, _, _, _],
  cell:             [Y, _, _, Y, _, _, _, _, _, _],
  checkbox:         [Y, Y, _, _, _, _, Y, _, _, _],
  colorwell:        [Y, _, _, _, _, _, _, _, _, _],
  column:           [_, _, _, _, _, _, _, _, _, _],
  combobox:         [Y, _, Y, _, Y, Y, Y, Y, Y, _],
  complementary:    [_, _, _, _, _, _, _, _, _, _],
  contentinfo:      [_, _, _, _, _, _, _, _, _, _],
  datefield:        [_, _, _, _, _, _, _, Y, _, _],
  definition:       [_, _, _, _, _, _, _, _, _, _],
  dialog:           [_, _, _, _, _, _, _, _, _, _],
  disclosure:       [_, _, Y, _, _, _, _, _, _, _],
  dockitem:         [Y, _, _, _, _, _, _, _, _, _],
  document:         [_, _, _, _, _, _, _, _, _, _],
  drawer:           [_, _, _, _, _, _, _, _, _, _],
  form:             [_, _, _, _, _, _, _, _, _, _],
  grid:             [_, _, _, _, _, _, _, _, _, _],
  group:            [_, _, _, _, _, _, _, _, _, Y],
  handle:           [_, _, _, _, _, _, _, _, _, _],
  heading:          [_, _, _, _, _, _, _, _, _, _],
  helptag:          [_, _, _, _, _, _, _, _, _, _],
  image:            [_, _, _, _, _, _, _, _, _, _],
  incrementor:      [Y, _, _, _, _, _, Y, _, Y, _],
  layoutitem:       [_, _, _, _, _, _, _, _, _, _],
  levelindicator:   [_, _, _, _, _, _, _, _, _, _],
  link:             [Y, _, _, _, _, _, _, _, _, _],
  list:             [_, _, _, _, _, _, _, _, _, _],
  listbox:          [Y, _, _, _, Y, _, Y, Y, _, _],
  log:              [_, _, _, _, _, _, _, _, _, _],
  main:             [_, _, _, _, _, _, _, _, _, _],
  marquee:          [_, _, _, _, _, _, _, _, _, _],
  matte:            [_, _, _, _, _, _, _, _, _, _],
  math:             [_, _, _, _, _, _, _, _, _, _],
  menu:             [_, _, _, _, Y, _, _, _, _, _],
  menubutton:       [Y, _, Y, _, _, _, _, _, _, _],
  menuitem:         [Y, _, _, _, Y, _, _, _, _, _],
  navigation:       [_, _, _, _, _, _, _, _, _, _],
  note:             [_, _, _, _, _, _, _, _, _, _],
  option:           [Y, _, _, Y, _, _, _, _, _, _],
  outline:          [_, _, _, _, _, _, _, _, _, _],
  paragraph:        [_, _, _, _, _, _, _, _, _, _],
  popover:          [_, _, _, _, _, _, _, _, _, _],
  progressbar:      [_, _, _, _, _, _, _, _, _, _],
  radiobutton:      [Y, Y, _, _, _, _, Y, _, _, _],
  radiogroup:       [_, _, _, _, _, _, _, _, _, _],
  region:           [_, _, _, _, _, _, _, _, _, _],
  relevanceindicator: [_, _, _, _, _, _, _, _, _, _],
  row:              [_, _, _, Y, _, _, _, _, _, _],
  ruler:            [_, _, _, _, _, _, _, _, _, _],
  rulermarker:      [_, _, _, _, _, _, _, _, _, _],
  scrollarea:       [_, _, _, _, _, _, _, _, _, _],
  scrollbar:        [_, _, _, _, _, _, _, _, _, _],
  search:           [_, _, _, _, _, _, _, _, _, _],
  separator:        [_, _, _, _, _, _, _, _, _, _],
  sheet:            [_, _, _, _, _, _, _, _, _, _],
  slider:           [Y, _, _, _, _, _, Y, _, _, _],
  splitter:         [_, _, _, _, _, _, _, _, _, _],
  statictext:       [_, _, _, _, _, _, _, _, _, _],
  status:           [_, _, _, _, _, _, _, _, _, _],
  switch:           [Y, Y, _, _, _, _, Y, _, _, _],
  tab:              [Y, _, _, Y, _, _, _, _, _, _],
  tablist:          [_, _, _, _, _, _, _, _, _, _],
  tabpanel:         [_, _, _, _, _, _, _, _, _, _],
  table:            [_, _, _, _, _, _, _, _, _, _],
  term:             [_, _, _, _, _, _, _, _, _, _],
  textfield:        [Y, _, _, _, _, Y, Y, Y, Y, _],
  timefield:        [_, _, _, _, _, _, _, Y, _, _],
  timer:            [_, _, _, _, _, _, _, _, _, _],
  toolbar:          [_, _, _, _, _, _, _, _, _, _],
  tooltip:          [_, _, _, _, _, _, _, _, _, _],
  treeitem:         [Y, _, Y, Y, _, _, _, _, _, _],
  webarea:          [_, _, _, _, _, _, _, _, _, _],
  window:           [_, _, _, _, _, _, _, _, _, _],
  unknown:          [_, _, _, _, _, _, _, _, _, Y],
} as const satisfies Record<string, Answers<typeof COLUMNS>>;

export type Role = keyof typeof TABLE;

/** Every role, in alphabetical order; `unknown`, what no role fits, is the last. */
export const ROLES = Object.keys(TABLE) as readonly Role[];

/** The table's answer for a role. */
export function hasTrait(role: Role, trait: RoleTrait): boolean {
  return TABLE[role][COLUMNS.indexOf(trait)]!;
}

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

/** Whether `role` is a canonical role other than `unknown`. */
export function isKnownRole(role: string): role is Exclude<Role, "unknown"> {
  return role !== "unknown" && Object.hasOwn(TABLE, role);
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
