/** Chromium and what is built on it (Electron): thousands of elements, most of them plain. */
import { ROLE } from "../atspi.ts";
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

const TEXT_LEAVES: ReadonlySet<number> = new Set([ROLE.static]);
// What pages are made of.
const STRUCTURAL: ReadonlySet<number> = new Set([
  ROLE.list,
  ROLE.listItem,
  ROLE.panel,
  ROLE.pushButton,
  ROLE.paragraph,
  ROLE.heading,
  ROLE.section,
  ROLE.form,
  ROLE.link,
  ROLE.tableRow,
  ROLE.grouping,
  ROLE.landmark,
]);
// The first action of every element is the one that a click carries out, called after what it does
// to the element.
const SWITCHES = ["check", "uncheck", "toggle"];
const CLICKS: ReadonlyMap<number, readonly string[]> = new Map([
  [ROLE.checkBox, SWITCHES],
  [ROLE.radioButton, SWITCHES],
  [ROLE.toggleButton, SWITCHES],
  [ROLE.checkMenuItem, SWITCHES],
  [ROLE.radioMenuItem, SWITCHES],
  [ROLE.treeItem, ["dodefault"]],
  [ROLE.pageTab, ["dodefault"]],
]);
const CHROMIUM: Toolkit = {
  ...DEFAULT,
  name: "Chromium",
  // Windows on Wayland are placed by the size they report; Chromium has been left out of that.
  windowIsScreenOnWayland: false,
  // It answers the question, but keeps DOM ids among the object attributes.
  accessibleIds: false,
  webAttributes: true,
  publishesOnDemand: true,
  claimsHiddenWindows: true,
  menuEverywhere: true,
  showsLate: true,
  clickActions: CLICKS,
  nameOnlyRoles: TEXT_LEAVES,
  structuralRoles: STRUCTURAL,
  actionlessRoles: TEXT_LEAVES,
};

/** Applications whose toolkit calls itself "Chromium". */
export function chromium({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return toolkit === "Chromium" ? CHROMIUM : undefined;
}
