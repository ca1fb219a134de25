/**
 * What must become of a ref when the application changes. Every platform runs every row it can
 * show, in up to three variants of what is known about live handles.
 */
import type { TestNode } from "../support/test_platform/world.ts";
import type { Ability, Edit } from "./subject.ts";

/**
 * - `live`: the ref's stored handle still leads to its element, if that is there.
 * - `lost`: the toolkit has given every element a new handle.
 * - `none`: no handle was stored, as on a platform whose handles do not outlive a command.
 */
export type Handles = "live" | "lost" | "none";

/** The element it must resolve to, or a code and `details.kind` it must fail with. */
export type Outcome = { to: string } | { code: string; kind?: string };

export interface Row {
  name: string;
  needs?: Ability[];
  /** Children of the window. */
  children: TestNode[];
  /** The element whose ref is used. */
  ref: string;
  edits: Edit[];
  /** Read the ref from this surface instead of the window. */
  surface?: "menu";
  /** Change the stored ref map before the ref is used. */
  tamper?: (refmap: RefmapFile) => void;
  /** One outcome for every variant, or one for each that applies. */
  expect: Outcome | Partial<Record<Handles, Outcome>>;
}

/** The parts of a stored ref map that rows and variants change. */
export interface RefmapFile {
  shared: { sources: { process_instance: string }[]; handles: string[] };
  inner: Record<string, { handle?: unknown }>;
}

/** A button. */
export const button = (id: string, name?: string, rest: Partial<TestNode> = {}): TestNode => ({
  id,
  role: "button",
  ...(name !== undefined && { name }),
  actions: ["Click"],
  ...rest,
});
/** A container with a name. */
export const group = (id: string, children: TestNode[]): TestNode => ({
  id,
  role: "group",
  name: id,
  children,
});
const field = (id: string, name: string | undefined, value: string): TestNode => ({
  id,
  role: "textfield",
  ...(name !== undefined && { name }),
  value,
  actions: ["SetValue"],
});
/** The place of a button. */
export const at = (x: number, y: number) => ({ x, y, width: 100, height: 18 });

const ABSENT = { code: "STALE_REF", kind: "resolution_complete_absence" };
const AMBIGUOUS = { code: "AMBIGUOUS_TARGET", kind: "resolution_ambiguous" };

export const ROWS: Row[] = [
  {
    name: "nothing changed",
    children: [button("a", "Save"), button("b", "Open")],
    ref: "b",
    edits: [],
    expect: { to: "b" },
  },
  {
    name: "an element was inserted before it and took its place",
    children: [button("a", "One"), button("b", "Two"), button("c", "Three")],
    ref: "b",
    edits: [
      { do: "set", id: "b", fields: { bounds: at(10, 60) } },
      { do: "set", id: "c", fields: { bounds: at(10, 80) } },
      {
        do: "insert",
        parent: "window",
        at: 1,
        element: button("new", "New", { bounds: at(10, 40) }),
      },
    ],
    expect: { to: "b" },
  },
  {
    name: "rows were sorted anew",
    children: ["Ann", "Bob", "Cid", "Dan", "Eve"].map((name) => button(name, name)),
    ref: "Bob",
    edits: [
      { do: "reorder", parent: "window", order: ["Eve", "Dan", "Cid", "Bob", "Ann"] },
      ...["Eve", "Dan", "Cid", "Bob", "Ann"].map((id, i): Edit => ({
        do: "set",
        id,
        fields: { bounds: at(10, 20 + 20 * i) },
      })),
    ],
    expect: { to: "Bob" },
  },
  {
    name: "rows stayed and their contents were exchanged",
    children: ["Ann", "Bob", "Cid"].map((name) => button(name, name)),
    ref: "Bob",
    edits: [
      { do: "set", id: "Bob", fields: { name: "Cid" } },
      { do: "set", id: "Cid", fields: { name: "Bob" } },
    ],
    expect: { to: "Cid" },
  },
  {
    name: "an earlier control was disabled",
    needs: ["fake"],
    children: [button("a", "One"), button("b", "Two")],
    ref: "b",
    edits: [{ do: "set", id: "a", fields: { states: ["disabled"] } }],
    expect: { to: "b" },
  },
  {
    name: "an earlier control was removed",
    children: [button("a", "One"), button("b", "Two"), button("c", "Three")],
    ref: "c",
    edits: [{ do: "remove", id: "a" }],
    expect: { to: "c" },
  },
  {
    name: "it was removed",
    children: [button("a", "One"), button("b", "Two")],
    ref: "b",
    edits: [{ do: "remove", id: "b" }],
    expect: ABSENT,
  },
  {
    name: "its page was destroyed and another one shown",
    children: [group("old page", [button("a", "Apply")])],
    ref: "a",
    edits: [{
      do: "replace",
      id: "old page",
      element: {
        ...group("new page", [button("b", "Next", { bounds: at(20, 40) })]),
        bounds: at(10, 20),
      },
    }],
    expect: ABSENT,
  },
  {
    name: "it was renamed",
    children: [button("a", "Play"), button("b", "Stop")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { name: "Pause" } }],
    expect: ABSENT,
  },
  {
    name: "only the case of its name changed",
    children: [button("a", "Save")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { name: "save" } }],
    expect: ABSENT,
  },
  {
    name: "its neighbour took its place after it was removed",
    children: [button("a", "One"), button("b", "Two")],
    ref: "a",
    edits: [{ do: "remove", id: "a" }, { do: "set", id: "b", fields: { bounds: at(10, 20) } }],
    expect: ABSENT,
  },
  {
    name: "it moved and kept its unique name",
    children: [button("a", "One"), button("b", "Two")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { bounds: at(500, 300) } }],
    expect: { to: "a" },
  },
  {
    name: "something opened elsewhere",
    needs: ["fake"],
    children: [button("a", "One")],
    ref: "a",
    edits: [{ do: "open", surface: "popover", root: group("popover", [button("x", "Extra")]) }],
    expect: { to: "a" },
  },
  {
    name: "another role has its name now",
    children: [button("a", "Go")],
    ref: "a",
    edits: [{
      do: "replace",
      id: "a",
      element: { id: "l", role: "link", name: "Go", actions: ["Click"], bounds: at(10, 20) },
    }],
    expect: ABSENT,
  },
  {
    name: "another role has its identifier now",
    needs: ["ids"],
    children: [button("a", "Go", { nativeId: { kind: "ax_identifier", value: "go" } })],
    ref: "a",
    edits: [{
      do: "replace",
      id: "a",
      element: {
        id: "l",
        role: "link",
        name: "Go",
        actions: ["Click"],
        bounds: at(10, 20),
        nativeId: { kind: "ax_identifier", value: "go" },
      },
    }],
    expect: { code: "STALE_REF", kind: "native_identifier_role_reuse" },
  },
  {
    name: "its numbered identifier passed on to the next row",
    needs: ["ids"],
    children: [
      button("a", "Ann", { nativeId: { kind: "ax_identifier", value: "row-0" } }),
      button("b", "Bob", { nativeId: { kind: "ax_identifier", value: "row-1" } }),
    ],
    ref: "a",
    edits: [
      { do: "remove", id: "a" },
      {
        do: "set",
        id: "b",
        fields: { nativeId: { kind: "ax_identifier", value: "row-0" }, bounds: at(10, 20) },
      },
    ],
    expect: ABSENT,
  },
  {
    name: "its identifier is gone although its name is still there",
    needs: ["ids"],
    children: [button("a", "Go", { nativeId: { kind: "ax_identifier", value: "go" } })],
    ref: "a",
    edits: [{ do: "replace", id: "a", element: button("x", "Go", { bounds: at(10, 20) }) }],
    expect: ABSENT,
  },
  {
    name: "twins, unchanged",
    children: [button("a", "Delete"), button("b", "Delete")],
    ref: "b",
    edits: [],
    expect: { live: { to: "b" }, lost: AMBIGUOUS, none: { to: "b" } },
  },
  {
    name: "twins that both moved",
    children: [button("a", "Delete"), button("b", "Delete")],
    ref: "b",
    edits: [
      { do: "set", id: "a", fields: { bounds: at(10, 200) } },
      { do: "set", id: "b", fields: { bounds: at(10, 220) } },
    ],
    expect: { live: { to: "b" }, lost: AMBIGUOUS, none: AMBIGUOUS },
  },
  {
    name: "one of two twins was removed and the other took its place",
    children: [button("a", "Delete"), button("b", "Delete"), button("c", "Other")],
    ref: "a",
    edits: [{ do: "remove", id: "a" }, { do: "set", id: "b", fields: { bounds: at(10, 200) } }],
    expect: { live: ABSENT, lost: AMBIGUOUS, none: AMBIGUOUS },
  },
  {
    name: "a twin appeared before it",
    children: [button("a", "Delete"), button("b", "Other")],
    ref: "a",
    edits: [
      { do: "set", id: "a", fields: { bounds: at(10, 40) } },
      { do: "set", id: "b", fields: { bounds: at(10, 60) } },
      {
        do: "insert",
        parent: "window",
        at: 0,
        element: button("x", "Delete", { bounds: at(300, 20) }),
      },
    ],
    expect: { live: { to: "a" }, lost: AMBIGUOUS, none: AMBIGUOUS },
  },
  {
    name: "a twin appeared elsewhere and it stands where it stood",
    children: [button("a", "Delete")],
    ref: "a",
    edits: [{
      do: "insert",
      parent: "window",
      at: 0,
      element: button("x", "Delete", { bounds: at(300, 20) }),
    }],
    expect: { to: "a" },
  },
  {
    name: "it has no text and stands where it stood",
    children: [button("a"), button("b", "Other")],
    ref: "a",
    edits: [],
    expect: { to: "a" },
  },
  {
    name: "it has no text and moved",
    children: [button("a"), button("b", "Other")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { bounds: at(300, 300) } }],
    expect: ABSENT,
  },
  {
    name: "it had no text and got a name",
    children: [button("a"), button("b", "Other")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { name: "Now named" } }],
    expect: ABSENT,
  },
  {
    name: "a name of white space is no name",
    children: [button("a", "  "), button("b", "Other")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { name: " " } }],
    expect: { to: "a" },
  },
  {
    name: "the user typed into a text field",
    children: [field("a", "Title", "before"), field("b", "Author", "x")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { value: "after" } }],
    expect: { to: "a" },
  },
  {
    name: "two unnamed text fields exchanged their values",
    children: [field("a", undefined, "first"), field("b", undefined, "second")],
    ref: "a",
    edits: [
      { do: "set", id: "a", fields: { value: "second" } },
      { do: "set", id: "b", fields: { value: "first" } },
    ],
    expect: { live: { to: "a" }, none: { to: "a" }, lost: AMBIGUOUS },
  },
  {
    name: "a text field whose name only repeated its value",
    needs: ["fake"],
    children: [{ ...field("a", "7", "7.0"), role: "incrementor" }],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { name: "8", value: "8.0" } }],
    expect: { to: "a" },
  },
  {
    name: "a description is the last text identity",
    children: [button("a", undefined, { description: "Close the tab" }), button("b", "Other")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { bounds: at(300, 300) } }],
    expect: { to: "a" },
  },
  {
    name: "a control is named by the label inside it",
    children: [button("a", undefined, {
      children: [{ id: "t", role: "statictext", name: "Send" }],
    })],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { bounds: at(300, 300) } }],
    expect: { to: "a" },
  },
  {
    name: "the label inside it changed",
    children: [button("a", undefined, {
      children: [{ id: "t", role: "statictext", name: "Send" }],
    })],
    ref: "a",
    edits: [{ do: "set", id: "t", fields: { name: "Delete" } }],
    expect: ABSENT,
  },
  {
    name: "its process was replaced by another one with the same pid",
    children: [button("a", "One")],
    ref: "a",
    edits: [],
    tamper: (refmap) => {
      for (const source of refmap.shared.sources) source.process_instance += "0";
    },
    expect: { code: "STALE_REF", kind: "source_process_identity" },
  },
  {
    name: "its window was closed",
    needs: ["fake"],
    children: [button("a", "One")],
    ref: "a",
    edits: [{ do: "close window" }],
    expect: ABSENT,
  },
  {
    name: "its menu is open again",
    needs: ["fake"],
    surface: "menu",
    children: [button("a", "One")],
    ref: "copy",
    edits: [{
      do: "open",
      surface: "menu",
      root: group("menu", [{ ...button("copy", "Copy", { bounds: at(500, 500) }) }]),
    }],
    expect: { to: "copy" },
  },
  {
    name: "its menu was closed",
    needs: ["fake"],
    surface: "menu",
    children: [button("a", "Copy")],
    ref: "copy",
    edits: [{ do: "close", surface: "menu" }],
    expect: { code: "STALE_REF", kind: "source_surface_absent" },
  },
  {
    name: "a part of the tree where it could be cannot be read",
    needs: ["fake"],
    children: [button("a", "One"), group("dark", [button("b", "Two")])],
    ref: "b",
    edits: [{ do: "remove", id: "b" }, {
      do: "set",
      id: "dark",
      fields: { childrenUnreadable: true },
    }],
    expect: { code: "APP_UNRESPONSIVE", kind: "resolution_traversal_incomplete" },
  },
  {
    name: "the name of the only candidate cannot be read",
    needs: ["fake"],
    children: [button("a", "One")],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { unreadable: ["name"] } }],
    expect: { code: "APP_UNRESPONSIVE", kind: "resolution_identity_unknown" },
  },
  {
    name: "its identifier cannot be read",
    needs: ["fake"],
    children: [button("a", "One", { nativeId: { kind: "ax_identifier", value: "one" } })],
    ref: "a",
    edits: [{ do: "set", id: "a", fields: { unreadable: ["native_id"] } }],
    expect: { code: "APP_UNRESPONSIVE", kind: "resolution_identity_unknown" },
  },
  {
    name: "a name elsewhere cannot be read, and it stands where it stood",
    needs: ["fake"],
    children: [button("a", "One"), button("b", "Two")],
    ref: "a",
    edits: [{ do: "set", id: "b", fields: { unreadable: ["name"] } }],
    expect: { to: "a" },
  },
];
