/** Firefox and Thunderbird. */
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";

const GECKO: Toolkit = {
  ...DEFAULT,
  name: "Gecko",
  // Its pages live in other processes, which never hear of it.
  ignoresEditableText: true,
  webAttributes: true,
  // Labels are translated, toolbars and pages added step by step. On a busy machine the first window
  // came ten seconds after the start, and was whole two seconds later.
  buildsLateMs: 20_000,
  textInContainers: true,
  choosesInWindowList: true,
  showsLate: true,
};

/** Applications whose toolkit calls itself "Gecko". */
export function gecko({ toolkit }: ApplicationFacts): Toolkit | undefined {
  return toolkit === "Gecko" ? GECKO : undefined;
}
