/** The conformance table on the built program and a live AT-SPI application. */
import type { TestNode } from "../support/test_platform/world.ts";
import { type Answer, type Edit, Subject } from "../conformance/subject.ts";
import { canRun, outcomeOf, rootOf, runRow } from "../conformance/run.ts";
import { type Handles, ROWS } from "../conformance/table.ts";
import { type App, startScripted } from "./support/apps.ts";
import { Desktop } from "./support/desktop.ts";

const desktop = await Desktop.start();

const ROLES: Partial<Record<TestNode["role"], string>> = {
  button: "push button",
  textfield: "text",
  group: "panel",
  statictext: "label",
  window: "frame",
};

/** An element as the scripted application's file wants it. */
function scripted(node: TestNode): Record<string, unknown> {
  const { id, role, name, description, nativeId, bounds, value, children } = node;
  const isText = role === "textfield";
  return {
    id,
    role: ROLES[role] ?? role,
    states: [
      "enabled",
      "sensitive",
      "showing",
      "visible",
      ...isText ? ["editable", "focusable"] : [],
      ...role === "window" ? ["active"] : [],
    ],
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(nativeId !== undefined && { accessible_id: nativeId.value }),
    ...(bounds !== undefined && { extents: Object.values(bounds) }),
    ...(isText ? { text: value ?? "", editable: true } : { actions: [{ name: "click" }] }),
    children: (children ?? []).map(scripted),
  };
}

/** The scripted application as a subject. */
class LiveSubject extends Subject {
  readonly app: string;
  readonly stateRoot = desktop.env["AGENT_DESKTOP_HOME"]!;

  constructor(root: TestNode, readonly live: App) {
    super(root);
    this.app = live.name;
  }

  async run(...args: string[]): Promise<Answer> {
    const run = await desktop.run(...args);
    if (run.envelope === undefined) throw new Error(`no envelope: ${run.stdout}${run.stderr}`);
    return run.envelope as Answer;
  }

  async change(edit: Edit): Promise<void> {
    this.mirror(edit);
    for (const words of this.#verbs(edit)) await this.live.control(...words);
  }

  #verbs(edit: Edit): string[][] {
    switch (edit.do) {
      case "set": {
        const fields = scripted({ id: edit.id, role: "button", ...edit.fields });
        const names: Record<string, string> = {
          name: "name",
          description: "description",
          nativeId: "accessible_id",
          bounds: "extents",
        };
        return Object.keys(edit.fields).map((field) =>
          field === "value"
            ? ["set", edit.id, "text", JSON.stringify(edit.fields.value)]
            : ["set", edit.id, names[field]!, JSON.stringify(fields[names[field]!])]
        );
      }
      case "remove":
        return [["remove", edit.id]];
      case "insert":
        return [["insert", edit.parent, String(edit.at), JSON.stringify(scripted(edit.element))]];
      case "reorder":
        return [["reorder", edit.parent, ...edit.order]];
      case "replace":
        return [["replace", edit.id, JSON.stringify(scripted(edit.element))]];
      default:
        throw new Error(`the scripted application cannot ${edit.do}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.live[Symbol.asyncDispose]();
  }
}

for (const row of ROWS) {
  if (!canRun(row, ["ids"])) continue;
  Deno.test(`live: ref when ${row.name}`, async () => {
    for (const handles of ["live", "lost", "none"] satisfies Handles[]) {
      if (outcomeOf(row, handles) === undefined) continue;
      const root = rootOf(row);
      const tree = { name: "conformance", windows: [scripted(root)] };
      await using subject = new LiveSubject(root, await startScripted(desktop, tree));
      try {
        await runRow(row, handles, subject);
      } catch (error) {
        throw new Error(`handles ${handles}: ${error}`, { cause: error });
      }
    }
  });
}
