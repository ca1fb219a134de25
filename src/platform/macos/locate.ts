/** Finding elements again: by path, by ancestry, by role. Structure is read, details only of hits. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import type { Handle, Node } from "../../tree/node.ts";
import { type CandidateQuery, type Candidates, OBSERVE_LIMITS } from "../platform.ts";
import { AX, type Elements, isAbsent, notTrusted, unresponsive } from "./accessible.ts";
import { LABEL_CHILDREN, lostBy, nameFromChildren, readBasics, readDetails } from "./evidence.ts";
import { isSecure, roleOf } from "./roles.ts";
import { childAt, listChildren } from "./virtual.ts";
import type { Scene } from "./walk.ts";

/** Deeper than any real tree; also ends the climb in a cycle. */
const MAX_CLIMB = 256;
const STRUCTURE = ["AXRole", "AXSubrole", "AXIdentifier", "AXDOMIdentifier", "AXChildren"] as const;
/** Elements in a row that do not answer before the application is taken for blocked. */
const SILENT_LIMIT = 3;

/** Role and subrole by a small request; the failure otherwise. */
export function readRole(
  elements: Elements,
  element: Ref,
  deadline: Deadline,
): { axRole?: string; axSubrole?: string } | { error: number } {
  using arena = new Arena();
  const answer = elements.attributes(element, ["AXRole", "AXSubrole"], deadline, arena);
  if (!answered(answer)) return { error: answer.error };
  const [role, subrole] = answer.value;
  return {
    ...(role?.kind === "text" ? { axRole: role.text } : {}),
    ...(subrole?.kind === "text" ? { axSubrole: subrole.text } : {}),
  };
}

/** The element at native child indexes below `root`; `undefined` when the path leads nowhere. */
export function pathTarget(
  elements: Elements,
  root: Handle,
  path: readonly number[],
  deadline: Deadline,
): Handle | undefined {
  let handle = root;
  for (const index of path) {
    const element = elements.find(handle);
    if (!element) return undefined;
    const roles = readRole(elements, element, deadline);
    if ("error" in roles) return refuse(roles.error);
    // Nothing inside a secure field has a path.
    if (isSecure(roles.axRole, roles.axSubrole)) return undefined;
    using arena = new Arena();
    const child = childAt(elements, element, roles.axRole, index, deadline, arena);
    if (child === undefined) return undefined;
    handle = elements.hold(child);
  }
  return handle;
}

function refuse(code: number): undefined {
  const lost = lostBy(code);
  if (lost === "denied") throw notTrusted();
  if (lost === "gone") return undefined;
  throw unresponsive("a path was followed", code);
}

/** Whether `element` is `root` or has it as an ancestor; `undefined` when that cannot be read. */
export function isBelow(
  elements: Elements,
  element: Ref,
  root: Ref,
  deadline: Deadline,
): boolean | undefined {
  using arena = new Arena();
  let at = element;
  for (let i = 0; i < MAX_CLIMB; i++) {
    if (elements.equal(at, root)) return true;
    const answer = elements.attribute(at, "AXParent", deadline, arena);
    if (!answered(answer)) {
      return isAbsent(answer.error) || answer.error === AX.invalidElement ? false : undefined;
    }
    if (answer.value.kind !== "element") return false;
    at = answer.value.element;
  }
  return undefined;
}

/**
 * Elements of one role below `root`. Of the others only role, children and ids are read, all in
 * one request.
 */
export function findCandidates(
  elements: Elements,
  root: Handle,
  query: CandidateQuery,
  scene: Scene,
  deadline: Deadline,
): Candidates {
  const found: { order: number[]; node: Node }[] = [];
  const others: Node[] = [];
  const seen = new Set<Handle>([root]);
  const queue: { handle: Handle; path: number[]; counted: boolean }[] = [
    { handle: root, path: [], counted: false },
  ];
  let complete = true;
  let read = 0;
  let silent = 0;
  for (let next = 0; next < queue.length; next++) {
    if (deadline.expired || read >= OBSERVE_LIMITS.nodes || silent >= SILENT_LIMIT) {
      complete = false;
      break;
    }
    const { handle, path, counted } = queue[next]!;
    const element = elements.find(handle);
    if (!element) continue;
    read++;
    using arena = new Arena();
    const names = counted ? STRUCTURE.slice(0, -1) : STRUCTURE;
    const answer = elements.attributes(element, names, deadline, arena);
    if (!answered(answer)) {
      const lost = lostBy(answer.error);
      if (lost === "denied") throw notTrusted();
      // A vanished element is no candidate; an unanswered question leaves the search open.
      if (lost === "silent") {
        complete = false;
        silent++;
      }
      continue;
    }
    silent = 0;
    const [axRole, axSubrole, id, domId, list] = answer.value.map((value) => value);
    const roleText = axRole?.kind === "text" ? axRole.text : undefined;
    const subroleText = axSubrole?.kind === "text" ? axSubrole.text : undefined;
    if (roleText === undefined) complete = false;
    const role = roleOf(roleText, subroleText);
    const index = path.at(-1) ?? 0;
    if (role === query.role) {
      const node = readElement(elements, handle, index, scene, deadline);
      if (node === "silent") complete = false;
      else if (node !== "gone") found.push({ order: path, node });
    } else if (query.nativeId) {
      const text = query.nativeId.kind === "ax_dom_identifier" ? domId : id;
      if (text?.kind === "text" && text.text === query.nativeId.value) {
        const node: Node = { role, states: [], actions: [], index, children: [], handle };
        others.push({ ...node, nativeId: query.nativeId });
      }
    }
    if (isSecure(roleText, subroleText) || path.length >= query.maxDepth) continue;
    const known = counted ? undefined : {
      children: list?.kind === "list" ? list.elements : undefined,
      childrenFailed: list?.kind === "other" ||
        (list?.kind === "error" && !isAbsent(list.code)),
    };
    const children = listChildren(
      elements,
      element,
      roleText,
      known,
      OBSERVE_LIMITS.childrenPerNode,
      deadline,
    );
    if (children.incomplete) complete = false;
    for (const child of children.children) {
      if (seen.has(child.handle)) continue;
      seen.add(child.handle);
      queue.push({
        handle: child.handle,
        path: [...path, child.index],
        counted: roleText === "AXScrollArea",
      });
    }
  }
  // Document order; breadth was only the way to find them.
  found.sort((a, b) => comparePaths(a.order, b.order));
  return {
    nodes: found.map((hit) => hit.node),
    sameIdOtherRole: others,
    complete,
    nodesRead: read,
  };
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

/** Reads one element whole, named after its children where it has no other name. */
export function readElement(
  elements: Elements,
  handle: Handle,
  index: number,
  scene: Scene,
  deadline: Deadline,
): Node | "gone" | "silent" {
  const element = elements.find(handle);
  if (!element) return "gone";
  using arena = new Arena();
  const basics = readBasics(elements, element, { children: false }, deadline, arena);
  if (basics === "denied") throw notTrusted();
  if (typeof basics === "string") return basics;
  const around = { ...scene, fieldBytes: OBSERVE_LIMITS.fieldBytes };
  const node = readDetails(elements, element, basics, index, around, deadline);
  const children = () => {
    const page = elements.page(element, "AXChildren", 0, LABEL_CHILDREN, deadline, arena);
    return answered(page) ? page.value : [];
  };
  nameFromChildren(elements, node, children, deadline);
  return node;
}
