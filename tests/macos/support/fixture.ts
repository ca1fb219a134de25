/** Machines for the stand-in: written as JSON, handed over as lines of tab-separated fields. */

/** A value of an attribute; plain JSON values mean text, boolean, integer or double, and URL-free. */
export type FakeValue =
  | string
  | boolean
  | number
  | null
  | { double: number }
  | { float: number }
  | { int32: number }
  | { element: string }
  | { elements: string[] }
  | { strings: string[] }
  | { point: [number, number] }
  | { size: [number, number] }
  | { rect: [number, number, number, number] }
  | { range: [number, number] }
  | { url: string }
  | { attributed: string }
  | { error: number }
  | { private: true };

/** One element of an application. */
export interface FakeNode {
  id?: string;
  role: string;
  subrole?: string;
  title?: string;
  description?: string;
  value?: FakeValue;
  identifier?: string;
  /** x, y, width, height in points. */
  frame?: [number, number, number, number];
  attributes?: Record<string, FakeValue>;
  settable?: string[];
  /** Names alone do nothing; with effects they change the machine. */
  actions?: string[] | Record<string, string>;
  /** CGWindowID of a window. */
  window?: number;
  /** Not in the tree until an effect adds it. */
  detached?: boolean;
  /** Windows only: not on screen. */
  offscreen?: boolean;
  children?: FakeNode[];
}

export interface FakeApp {
  pid: number;
  name: string;
  bundleId?: string;
  /** NSApplicationActivationPolicy, 0 when not given. */
  policy?: number;
  frontmost?: boolean;
  /** Starts only by an effect. */
  gone?: boolean;
  starting?: boolean;
  path?: string;
  /** Unix seconds and microseconds of the start. */
  start?: [number, number];
  /** Effects of a graceful quit, when the application does more than end. */
  quit?: string;
  children: FakeNode[];
  attributes?: Record<string, FakeValue>;
  settable?: string[];
}

export interface FakeMachine {
  apps: FakeApp[];
  displays?: {
    id: number;
    bounds: [number, number, number, number];
    pixels: number;
    main?: boolean;
    visible?: [number, number, number, number];
  }[];
  clipboard?: { type: string; text: string; item?: number }[];
  trust?: { accessibility?: boolean; screen?: boolean; post?: boolean; automation?: number };
  errors?: { node: string; name: string; code: number; count?: number }[];
  /** Windows the accessibility tree does not show. */
  windows?: {
    id: number;
    pid: number;
    title?: string;
    bounds: [number, number, number, number];
    layer?: number;
    onScreen?: boolean;
    /** 1 when not given. */
    alpha?: number;
  }[];
}

const escape = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");

function typed(value: FakeValue): [letter: string, text: string] {
  if (value === null) return ["n", ""];
  if (typeof value === "string") return ["s", value];
  if (typeof value === "boolean") return ["b", value ? "1" : "0"];
  if (typeof value === "number") return [Number.isInteger(value) ? "i" : "d", String(value)];
  if ("double" in value) return ["d", String(value.double)];
  if ("float" in value) return ["f", String(value.float)];
  if ("int32" in value) return ["I", String(value.int32)];
  if ("element" in value) return ["e", value.element];
  if ("elements" in value) return ["E", value.elements.join(",")];
  if ("strings" in value) return ["S", value.strings.join(",")];
  if ("point" in value) return ["p", value.point.join(",")];
  if ("size" in value) return ["z", value.size.join(",")];
  if ("rect" in value) return ["r", value.rect.join(",")];
  if ("range" in value) return ["g", value.range.join(",")];
  if ("url" in value) return ["u", value.url];
  if ("attributed" in value) return ["a", value.attributed];
  if ("error" in value) return ["x", String(value.error)];
  return ["q", ""];
}

class Lines {
  readonly lines: string[] = [];
  // Elements may name elements that come later, so attributes follow the nodes.
  readonly late: string[] = [];
  #next = 1;

  add(...fields: (string | number)[]): void {
    this.lines.push(fields.map((field) => escape(String(field))).join("\t"));
  }

  attribute(node: string, name: string, value: FakeValue | undefined): void {
    if (value === undefined) return;
    const [letter, text] = typed(value);
    this.late.push(["attr", node, name, letter, text].map(escape).join("\t"));
  }

  node(node: FakeNode, pid: number, parent: string): string {
    const id = node.id ?? `n${this.#next++}`;
    this.add(
      "node",
      id,
      pid,
      parent,
      node.role,
      node.window ?? 0,
      node.detached ? "detached" : "-",
    );
    this.attribute(id, "AXSubrole", node.subrole);
    this.attribute(id, "AXTitle", node.title);
    this.attribute(id, "AXDescription", node.description);
    this.attribute(id, "AXValue", node.value);
    this.attribute(id, "AXIdentifier", node.identifier);
    if (node.frame) {
      const [x, y, width, height] = node.frame;
      this.attribute(id, "AXPosition", { point: [x, y] });
      this.attribute(id, "AXSize", { size: [width, height] });
    }
    for (const [name, value] of Object.entries(node.attributes ?? {})) {
      this.attribute(id, name, value);
    }
    const settable = new Set(node.settable);
    const actions = Array.isArray(node.actions)
      ? Object.fromEntries(node.actions.map((name) => [name, "none"]))
      : { ...node.actions };
    if (node.window) {
      for (const name of ["AXPosition", "AXSize", "AXMain", "AXMinimized"]) settable.add(name);
      if (!node.attributes?.["AXMinimized"]) this.attribute(id, "AXMinimized", false);
      actions["AXRaise"] ??= `raise:${id}`;
    }
    for (const name of settable) this.add("cap", id, name);
    for (const [name, effects] of Object.entries(actions)) this.add("act", id, name, effects);
    for (const child of node.children ?? []) this.node(child, pid, id);
    return id;
  }
}

function windowLine(lines: Lines, node: FakeNode, pid: number, gone: boolean): void {
  const [x, y, width, height] = node.frame ?? [0, 0, 800, 600];
  const state = gone || node.detached ? "gone" : "-";
  const shown = node.offscreen ? 0 : 1;
  lines.add("win", node.window!, pid, 0, shown, 1, x, y, width, height, node.title ?? "-", state);
}

/** The lines of a machine. The front application's first window has the focus unless told. */
export function toLines(machine: FakeMachine): string {
  const lines = new Lines();
  for (const app of machine.apps) {
    const flags = [
      app.frontmost ? "frontmost" : "",
      app.gone ? "gone" : "",
      app.starting ? "starting" : "",
    ].filter(Boolean).join(",") || "-";
    const [seconds, micros] = app.start ?? [1_700_000_000 + app.pid, 250_000];
    const path = app.path ?? `/Applications/${app.name}.app/Contents/MacOS/${app.name}`;
    lines.add(
      ...["app", app.pid, app.bundleId ?? "-", app.name, app.policy ?? 0, seconds + micros / 1e6],
      ...[seconds, micros, path, flags],
    );
    const root = `app${app.pid}`;
    lines.add("node", root, app.pid, "-", "AXApplication", 0, app.gone ? "gone" : "-");
    lines.attribute(root, "AXTitle", app.name);
    lines.attribute(root, "AXFrontmost", app.frontmost ?? false);
    lines.add("cap", root, "AXFrontmost");
    for (const name of app.settable ?? []) lines.add("cap", root, name);
    if (app.quit) lines.add("act", root, "event:quit", app.quit);
    let first: string | undefined;
    for (const child of app.children) {
      const id = lines.node(child, app.pid, root);
      if (!child.window) continue;
      windowLine(lines, child, app.pid, app.gone ?? false);
      if (!child.detached) {
        lines.attribute(id, "AXMain", first === undefined);
        first ??= id;
      }
    }
    if (first && !app.attributes?.["AXFocusedWindow"]) {
      lines.attribute(root, "AXFocusedWindow", { element: first });
      lines.attribute(root, "AXMainWindow", { element: first });
    }
    for (const [name, value] of Object.entries(app.attributes ?? {})) {
      lines.attribute(root, name, value);
    }
  }
  for (const window of machine.windows ?? []) {
    lines.add(
      ...[
        "win",
        window.id,
        window.pid,
        window.layer ?? 0,
        window.onScreen === false ? 0 : 1,
        window.alpha ?? 1,
      ],
      ...window.bounds,
      ...[window.title ?? "-", "-"],
    );
  }
  for (const display of machine.displays ?? []) {
    const visible = display.visible ?? display.bounds;
    lines.add(
      ...["disp", display.id, ...display.bounds, display.pixels, display.main ? 1 : 0],
      ...visible,
    );
  }
  if (!machine.displays) lines.add("disp", 1, 0, 0, 1440, 900, 2880, 1, 0, 25, 1440, 800);
  const trust = machine.trust ?? {};
  const flag = (on: boolean | undefined) => on === false ? 0 : 1;
  lines.add(
    ...["trust", flag(trust.accessibility), flag(trust.screen), flag(trust.post)],
    trust.automation ?? 0,
  );
  for (const clip of machine.clipboard ?? []) {
    const bytes = new TextEncoder().encode(clip.text);
    lines.add("clip", clip.type, btoa(String.fromCharCode(...bytes)), clip.item ?? 0);
  }
  const text = [...lines.lines, ...lines.late];
  for (const error of machine.errors ?? []) {
    text.push(["err", error.node, error.name, error.code, error.count ?? 0].join("\t"));
  }
  return text.join("\n") + "\n";
}
