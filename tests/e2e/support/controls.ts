/** The commands tried on every control of the fixture windows, and what each toolkit makes of them. */

/** How a call ended, as docs/toolkits.md prints it. */
export type Outcome = string;

/** One command on one control. */
export interface Trial {
  command: string;
  /** Accessible name of the control. */
  control: string;
  args?: string[];
  /** Role of the control where its name is not enough. */
  role?: string;
  /** Status label that confirms the effect. */
  label?: string;
  /** Its text afterwards; without it any change confirms. */
  text?: string;
  /** Control verbs sent before. */
  before?: string[][];
  /** Combination pressed afterwards, to close what was opened. */
  close?: string;
}

/** Every trial, in the order in which they are made in one window. */
export const TRIALS: readonly Trial[] = [
  { command: "click", control: "Push", label: "push", text: "clicked 1" },
  { command: "click", control: "Toggle", label: "toggle", text: "on" },
  { command: "toggle", control: "Toggle", label: "toggle" },
  { command: "check", control: "Check", role: "checkbox", label: "check", text: "on" },
  { command: "uncheck", control: "Check", role: "checkbox", label: "check", text: "off" },
  { command: "toggle", control: "Switch", label: "switch", text: "on" },
  { command: "check", control: "Option B", label: "radio", text: "B" },
  { command: "click", control: "Option C", label: "radio", text: "C" },
  { command: "click", control: "Disabled", label: "disabled" },
  { command: "click", control: "Link", label: "link", text: "followed 1" },
  {
    command: "set-value",
    control: "Entry",
    args: ["é你好😀"],
    label: "entry",
    text: '"é你好😀"',
  },
  {
    command: "type",
    control: "Entry",
    args: ["+ä"],
    label: "entry",
    text: '"+ä"',
    before: [["set-text", "Entry", ""]],
  },
  {
    command: "clear",
    control: "Entry",
    label: "entry",
    text: '""',
    before: [["set-text", "Entry", "something"]],
  },
  {
    command: "set-value",
    control: "Notes",
    args: ["one\ntwo"],
    label: "notes",
    text: '"one\\ntwo"',
  },
  {
    command: "type",
    control: "Notes",
    args: ["日本 text"],
    label: "notes",
    text: '"日本 text"',
    before: [["set-text", "Notes", ""]],
  },
  {
    command: "set-value",
    control: "Password",
    args: ["hunter2"],
    label: "password",
  },
  { command: "set-value", control: "Spin", args: ["7.5"], label: "spin", text: "7.5" },
  { command: "set-value", control: "Spin", args: ["70"], label: "spin" },
  { command: "set-value", control: "Slider", args: ["60"], label: "slider", text: "60" },
  {
    command: "select",
    control: "Combo",
    args: ["Blue"],
    role: "combobox",
    label: "combo",
    text: "Blue",
  },
  { command: "select", control: "Rows", args: ["Charlie"], label: "row", text: "Charlie" },
  {
    command: "select",
    control: "Bravo",
    args: ["Bravo"],
    role: "option",
    label: "row",
    text: "Bravo",
  },
  { command: "click", control: "Delta", role: "option", label: "row", text: "Delta" },
  {
    command: "double-click",
    control: "Echo",
    role: "option",
    label: "row-activated",
    text: "Echo 1",
  },
  { command: "expand", control: "Fruits", label: "tree-expanded", text: "Fruits" },
  { command: "collapse", control: "Fruits", label: "tree-expanded", text: "none" },
  { command: "click", control: "Second", label: "tab", text: "Second" },
  { command: "click", control: "More", label: "expander", text: "open" },
  { command: "scroll", control: "Scroller", args: ["--amount", "1"], label: "scroll" },
  { command: "scroll-to", control: "Far 30", label: "scroll" },
  { command: "click", control: "Far 50", label: "far", text: "Far 50 1" },
  { command: "click", control: "Menu button", label: "popover", text: "open" },
  {
    command: "click",
    control: "Popover item",
    label: "popover-item",
    text: "clicked 1",
    close: "escape",
  },
  { command: "right-click", control: "Context target", close: "escape" },
  { command: "double-click", control: "Double target", label: "double", text: "1" },
  { command: "triple-click", control: "Double target", label: "triple", text: "1" },
  { command: "hover", control: "Hover target", label: "hover", text: "1" },
  { command: "focus", control: "Entry", label: "focus", text: "Entry" },
];

/** How the table names a trial: `select Combo`. */
export function trialName(trial: Trial): string {
  const role = trial.role === undefined || trial.role === "combobox" ? "" : ` (${trial.role})`;
  const value = trial.command === "set-value" && trial.args?.[0] === "70" ? " out of range" : "";
  return `${trial.command} ${trial.control}${role}${value}`;
}
