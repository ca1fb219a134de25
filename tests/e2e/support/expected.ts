/**
 * The tree a snapshot should show, worked out from what the independent reader sees. Everything
 * here is written from AT-SPI's own numbers and names and imports nothing of the program.
 */
import type { TreeNode } from "./desktop.ts";
import type { ReaderNode } from "./reader.ts";

/** What two readings of a node are compared by. */
export interface Compared {
  role: string;
  name: string;
  value?: string;
  description?: string;
  states: string[];
  children: Compared[];
}

/** What a toolkit tells differently from the others. */
export interface Toolkit {
  /** States are reported without SHOWING for everything (GTK 4 before 4.10). */
  neverShows?: true;
  /** Text leaves have a name and nothing else. */
  plainText?: true;
}

// AtspiRole numbers (atspi-constants.h) of each role; what is not listed is `unknown`.
const ROLE_NUMBERS: Record<string, number[]> = {
  alert: [2, 101],
  application: [75],
  article: [109],
  banner: [71],
  button: [13, 43, 62],
  cell: [47, 56, 58],
  checkbox: [7],
  colorwell: [9],
  column: [10, 57],
  combobox: [11, 76],
  contentinfo: [72],
  datefield: [12],
  definition: [108, 123],
  dialog: [16, 19, 22, 36],
  document: [82, 92, 93, 94, 96],
  form: [87],
  // deno-fmt-ignore
  group: [
    5, 6, 17, 18, 20, 21, 24, 25, 28, 30, 39, 46, 68, 78, 85, 86, 99, 104, 105, 106, 107, 119, 120,
    125, 126, 127, 128,
  ],
  heading: [83],
  image: [3, 4, 26, 27, 80, 100],
  incrementor: [52],
  levelindicator: [103, 114],
  link: [88],
  list: [31, 121],
  listbox: [98],
  log: [111],
  marquee: [112],
  math: [113, 117, 118],
  menu: [33, 34, 41],
  menubutton: [129],
  menuitem: [8, 35, 45, 59],
  note: [97, 124],
  outline: [65, 66],
  paragraph: [73],
  progressbar: [42],
  radiobutton: [44],
  region: [84, 110],
  row: [90],
  ruler: [74],
  scrollarea: [49],
  scrollbar: [48],
  separator: [50],
  slider: [15, 51],
  splitter: [53],
  statictext: [1, 29, 81, 116],
  status: [54, 102],
  switch: [130],
  tab: [37],
  table: [55],
  tablist: [38],
  term: [122],
  textfield: [40, 60, 77, 79],
  timer: [115],
  toolbar: [63],
  tooltip: [64],
  treeitem: [91],
  webarea: [95],
  window: [14, 23, 69, 89],
};
const ROLES = new Map(
  Object.entries(ROLE_NUMBERS).flatMap(([role, numbers]) =>
    numbers.map((number) => [number, role] as const)
  ),
);
const TEXT = 61;
const LIST_ITEM = 32;
const PASSWORD = 40;
const SPIN_BUTTON = 52;
const STATIC = 116;
const LANDMARK = 110;

// Printed state, and how AT-SPI spells it; in printing order.
const STATES: [string, string | ((has: (state: string) => boolean) => boolean)][] = [
  ["focused", "focused"],
  ["disabled", (has) => !has("enabled") && !has("sensitive")],
  ["expanded", "expanded"],
  ["checked", "checked"],
  ["selected", "selected"],
  ["hidden", (has) => !has("visible")],
  ["busy", "busy"],
  ["modal", "modal"],
  ["required", "required"],
  ["indeterminate", "indeterminate"],
  ["pressed", "pressed"],
  ["readonly", "read-only"],
  ["offscreen", (has) => has("visible") && !has("showing")],
  ["invalid", "invalid-entry"],
  ["multiselectable", "multiselectable"],
  ["haspopup", "has-popup"],
];

// Controls: they take a name from elsewhere when they have none of their own.
const CONTROLS = new Set(
  ("button cell checkbox colorwell combobox dockitem incrementor link listbox menubutton " +
    "menuitem option radiobutton slider switch tab textfield treeitem").split(" "),
);
// Controls whose text is what they hold; it is nobody's name.
const HOLDS_TEXT = new Set(["textfield", "combobox", "incrementor"]);
// Buttons and images inside a password field may tell their names; all else may spell the secret.
const NAMED_IN_SECRETS = new Set([7, 26, 27, 35, 43, 62]);
const LABEL_CHILDREN = 5;

const blank = (text: string | undefined | null) => (text ?? "").trim() === "";

/** The role of a node by number, states and landmark kind. */
export function expectedRole(node: ReaderNode): string {
  if (node.role === TEXT) return node.states.includes("editable") ? "textfield" : "statictext";
  if (node.role === LIST_ITEM) return node.states.includes("selectable") ? "option" : "group";
  const landmark = node.role === LANDMARK ? node.attributes?.["xml-roles"] : undefined;
  return landmark ?? ROLES.get(node.role) ?? "unknown";
}

/** The states of a node in printing order. */
export function expectedStates(node: ReaderNode, toolkit: Toolkit): string[] {
  const has = (state: string) => node.states.includes(state);
  const found = STATES.filter(([token, rule]) =>
    typeof rule === "string" ? has(rule) : !(token === "offscreen" && toolkit.neverShows) &&
      rule(has)
  ).map(([token]) => token);
  if (node.role !== PASSWORD) return found;
  // Between `disabled` and `expanded`.
  const place = found.filter((token) => token === "focused" || token === "disabled").length;
  return found.toSpliced(place, 0, "secure");
}

/** The whole tree below a node that the snapshot should show; nodes that are not visible are not. */
export function expectedTree(
  node: ReaderNode,
  toolkit: Toolkit = {},
  insideSecret = false,
): Compared {
  const role = expectedRole(node);
  const secret = insideSecret || node.role === PASSWORD;
  const children = (node.children ?? [])
    .filter((child) => child.states.includes("visible"))
    .map((child) => expectedTree(child, toolkit, secret));
  const states = expectedStates(node, toolkit);
  if (insideSecret) {
    const name = NAMED_IN_SECRETS.has(node.role) ? node.name : "";
    return { role, name, states, children };
  }
  const { name, description } = nameOf(node, role, children, secret);
  const made: Compared = { role, name, states, children };
  const plain = toolkit.plainText && node.role === STATIC;
  const value = secret || plain ? undefined : valueOf(node, role);
  if (!blank(value)) made.value = value!;
  if (!plain && !blank(description)) made.description = description;
  return made;
}

/**
 * The first that is not blank of the accessible's own name, its labels by relation, its text
 * (static text), its child labels, its placeholder, its description; from its own name on only
 * where the rule applies.
 */
function nameOf(
  node: ReaderNode,
  role: string,
  children: Compared[],
  secret: boolean,
): { name: string; description: string } {
  const { description } = node;
  const control = CONTROLS.has(role);
  const labels = (node.labelled_by ?? []).map((text) => text.trim()).filter(Boolean).join(" ");
  const childLabel = [
    ...new Set(
      children.slice(0, LABEL_CHILDREN).filter((child) => child.role === "statictext")
        .map((child) => child.name.trim()).filter(Boolean),
    ),
  ].join(" ");
  const candidates: (string | undefined | false)[] = [
    // The choice of a combo box is its value, and its name only where that is something else.
    node.name !== node.choice && node.name,
    (control || role === "progressbar") && labels,
    role === "statictext" && node.text,
    control && !secret && !HOLDS_TEXT.has(role) && childLabel,
    control && node.attributes?.["placeholder-text"],
  ];
  const found = candidates.find((text) => text !== false && !blank(text));
  if (found) return { name: found, description };
  if (control && !secret && !blank(description)) return { name: description, description: "" };
  return { name: "", description };
}

function valueOf(node: ReaderNode, role: string): string | undefined {
  const editable = node.states.includes("editable");
  if (role === "combobox" && !editable) {
    if (!blank(node.choice)) return node.choice;
    // A text with the mark of an embedded element is none of its own.
    if (!blank(node.text) && !node.text!.includes("\ufffc")) return node.text;
  }
  const holdsText = role === "textfield" || editable;
  if (node.interfaces.includes("Text") && holdsText && node.role !== SPIN_BUTTON) {
    if (!blank(node.text) || node.value === undefined) return node.text;
  }
  return node.value === undefined || node.value === null
    ? undefined
    : String(Math.round(node.value * 1e6) / 1e6);
}

/** A snapshot's tree in the same form. */
export function comparable(node: TreeNode): Compared {
  const made: Compared = {
    role: node.role,
    name: node.name ?? "",
    states: node.states ?? [],
    children: (node.children ?? []).map(comparable),
  };
  if (node.value !== undefined) made.value = node.value;
  if (node.description !== undefined) made.description = node.description;
  return made;
}

/** How many nodes a tree has. */
export function size(node: Compared): number {
  return node.children.reduce((sum, child) => sum + size(child), 1);
}

/**
 * Where two trees differ, one line for each difference; nothing when they are equal. A subtree
 * with another number of children is told once.
 */
export function differences(ours: Compared, theirs: Compared, path = ""): string[] {
  const here = `${path}/${theirs.role}${theirs.name ? `:${theirs.name.slice(0, 40)}` : ""}`;
  const found: string[] = [];
  for (const field of ["role", "name", "value", "description"] as const) {
    if (ours[field] !== theirs[field]) {
      const [a, b] = [ours[field], theirs[field]].map((text) =>
        JSON.stringify(text)?.slice(0, 120)
      );
      found.push(`${here}: ${field} is ${a}, should be ${b}`);
    }
  }
  if (ours.states.join() !== theirs.states.join()) {
    found.push(`${here}: states are [${ours.states}], should be [${theirs.states}]`);
  }
  if (ours.children.length !== theirs.children.length) {
    const list = (nodes: Compared[]) => nodes.map((n) => `${n.role}:${n.name}`).join(", ");
    found.push(
      `${here}: children are {${list(ours.children)}}, should be {${list(theirs.children)}}`,
    );
    return found;
  }
  theirs.children.forEach((child, i) =>
    found.push(...differences(ours.children[i]!, child, `${here}[${i}]`))
  );
  return found;
}
