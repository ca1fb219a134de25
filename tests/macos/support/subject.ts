/**
 * The stand-in as a subject of the conformance table: the elements of the table's application
 * become accessibility elements, and every command runs on a platform of its own, as it would in
 * a process of its own.
 */
import { effectiveUserId } from "../../../ffi/libc.ts";
import { main, Run } from "../../../main.ts";
import type { Process } from "../../../src/cli/process.ts";
import { MacPlatform } from "../../../src/platform/macos/platform.ts";
import type { TestNode, World } from "../../support/test_platform/world.ts";
import type { Action } from "../../../src/tree/actions.ts";
import type { Field } from "../../../src/tree/node.ts";
import type { Role } from "../../../src/tree/roles.ts";
import type { State } from "../../../src/tree/states.ts";
import { type Answer, type Edit, Subject } from "../../conformance/subject.ts";
import { FakeMac } from "./fake.ts";
import type { FakeMachine, FakeNode, FakeValue } from "./fixture.ts";
import { assertClean } from "./platform.ts";

// The C library stays loaded for the life of the process; loaded here it is no test's leak.
effectiveUserId();

/** AX role, and subrole where that makes the difference. */
const AX_ROLES: Partial<Record<Role, [role: string, subrole?: string]>> = {
  application: ["AXApplication"],
  button: ["AXButton"],
  checkbox: ["AXCheckBox"],
  combobox: ["AXComboBox"],
  cell: ["AXCell"],
  dialog: ["AXWindow", "AXDialog"],
  group: ["AXGroup"],
  heading: ["AXHeading"],
  image: ["AXImage"],
  incrementor: ["AXIncrementor"],
  link: ["AXLink"],
  list: ["AXList"],
  menu: ["AXMenu"],
  menuitem: ["AXMenuItem"],
  popover: ["AXPopover"],
  progressbar: ["AXProgressIndicator"],
  radiobutton: ["AXRadioButton"],
  row: ["AXRow"],
  scrollarea: ["AXScrollArea"],
  slider: ["AXSlider"],
  statictext: ["AXStaticText"],
  switch: ["AXSwitch"],
  tab: ["AXTab"],
  table: ["AXTable"],
  tablist: ["AXTabGroup"],
  textfield: ["AXTextField"],
  toolbar: ["AXToolbar"],
  treeitem: ["AXOutlineRow"],
  window: ["AXWindow", "AXStandardWindow"],
};

const ACTIONS: Partial<Record<Action, { action?: string; settable?: string }>> = {
  Click: { action: "AXPress" },
  RightClick: { action: "AXShowMenu" },
  ScrollTo: { action: "AXScrollToVisible" },
  SetValue: { settable: "AXValue" },
  SetFocus: { settable: "AXFocused" },
  TypeText: { settable: "AXSelectedText" },
  Expand: { settable: "AXExpanded" },
};

const STATES: Partial<Record<State, [attribute: string, value: boolean]>> = {
  focused: ["AXFocused", true],
  disabled: ["AXEnabled", false],
  expanded: ["AXExpanded", true],
  selected: ["AXSelected", true],
  hidden: ["AXHidden", true],
  busy: ["AXElementBusy", true],
  modal: ["AXModal", true],
  required: ["AXRequired", true],
};

/** The attribute whose failure makes a field unreadable. */
const FIELDS: Partial<Record<Field, string>> = {
  name: "AXTitle",
  value: "AXValue",
  description: "AXDescription",
  native_id: "AXIdentifier",
  states: "AXEnabled",
  bounds: "AXPosition",
};

const TEXT_FIELDS: ReadonlySet<Role> = new Set(["textfield", "combobox"]);

/** An element of the table as an accessibility element. */
export function toFakeNode(node: TestNode): FakeNode {
  const [role, subrole] = AX_ROLES[node.role] ?? ["AXUnknown"];
  const attributes: Record<string, FakeValue> = {};
  const settable = new Set<string>();
  const actions: Record<string, string> = {};
  for (const state of node.states ?? []) {
    const known = STATES[state];
    if (known) attributes[known[0]] = known[1];
  }
  for (const name of node.actions ?? []) {
    const { action, settable: attribute } = ACTIONS[name] ?? {};
    if (action) actions[action] = "none";
    if (!attribute) continue;
    settable.add(attribute);
    if (attribute !== "AXValue") {
      attributes[attribute] ??= attribute === "AXSelectedText" ? "" : false;
    }
  }
  const isStatic = node.role === "statictext";
  const value = isStatic ? node.value ?? node.name : node.value;
  const number = value !== undefined && !TEXT_FIELDS.has(node.role) && !isStatic &&
      /^-?\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : undefined;
  for (const field of node.unreadable ?? []) {
    const attribute = FIELDS[field];
    if (attribute) attributes[attribute] = { error: -25204 };
  }
  if (node.childrenUnreadable) attributes["AXChildren"] = { error: -25204 };
  if (node.virtualCount !== undefined) attributes["fake:ClaimedCount"] = node.virtualCount;
  const { bounds } = node;
  const secure = node.states?.includes("secure");
  return {
    id: node.id,
    role,
    ...(secure ? { subrole: "AXSecureTextField" } : subrole ? { subrole } : {}),
    ...(node.name !== undefined && !isStatic ? { title: node.name } : {}),
    ...(node.description === undefined ? {} : { description: node.description }),
    ...(value === undefined ? {} : { value: number ?? value }),
    ...(node.nativeId ? { identifier: node.nativeId.value } : {}),
    ...(bounds ? { frame: [bounds.x, bounds.y, bounds.width, bounds.height] } : {}),
    attributes,
    settable: [...settable],
    actions,
    children: (node.children ?? []).map(toFakeNode),
  };
}

/** A world of the test platform as a machine. */
export function toMachine(world: World): FakeMachine {
  return {
    apps: world.apps.map((app) => {
      const windows = app.windows.map((window): FakeNode => ({
        ...toFakeNode(window.root),
        title: window.title,
        window: Number(window.id.slice(2)),
        frame: [0, 0, 10_000, 10_000],
      }));
      const { menu, popover } = app.surfaces ?? {};
      if (popover && windows[0]) {
        windows[0].children = [...windows[0].children ?? [], toFakeNode(popover)];
      }
      return {
        pid: app.pid,
        name: app.name,
        frontmost: app.windows.some((window) => window.focused),
        ...(app.instance
          ? { start: [2_000_000_000, app.instance.length] as [number, number] }
          : {}),
        children: [...windows, ...(menu ? [toFakeNode(menu)] : [])],
        ...(menu ? { attributes: { AXMenus: { elements: [menu.id] } } } : {}),
      };
    }),
  };
}

/** An application on the stand-in. */
export class MacSubject extends Subject {
  readonly app = "subject";
  readonly stateRoot: string;
  readonly #fake: FakeMac;

  constructor(fake: FakeMac, root: TestNode) {
    super(root);
    this.#fake = fake;
    this.#fake.become(toMachine(this.world));
    this.stateRoot = Deno.makeTempDirSync({ prefix: "conformance-macos-" });
  }

  async run(...args: string[]): Promise<Answer> {
    let output = "";
    const process: Process = {
      env: (name) => name === "AGENT_DESKTOP_HOME" ? this.stateRoot : undefined,
      stdout: (text) => void (output += text),
      stderr: () => {},
      keepOnly: () => {},
    };
    const platform = new MacPlatform(this.#fake.libraries);
    await main(args, () => Promise.resolve(platform), new Run(process));
    platform.close();
    assertClean(this.#fake);
    return JSON.parse(output);
  }

  change(edit: Edit): Promise<void> {
    this.mirror(edit);
    this.#fake.become(toMachine(this.world));
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.stateRoot, { recursive: true });
  }
}
