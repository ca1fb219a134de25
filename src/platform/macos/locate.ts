/** Finding elements again: by path, by role. Structure is read, details only of hits. */
import { answered } from "../../../ffi/macos/accessibility.ts";
import { Arena, type Ref } from "../../../ffi/macos/core_foundation.ts";
import type { Deadline } from "../../deadline.ts";
import { type Handle, isBlank, type Node } from "../../tree/node.ts";
import type { Role } from "../../tree/roles.ts";
import { comparePaths } from "../../tree/walk.ts";
import { type CandidateQuery, type Candidates, OBSERVE_LIMITS } from "../platform.ts";
import { type Elements, isAbsent, notTrusted, unresponsive } from "./accessible.ts";
import { isAbsentSlot, lostBy, probeRole, textSlot } from "./basics.ts";
import { readElement, type Scene } from "./evidence.ts";
import { insideSecret, roleOf, secrecyOf } from "./roles.ts";
import { childAt, type KnownChildren, listChildren } from "./children.ts";

const STRUCTURE = [
  "AXRole",
  "AXSubrole",
  "AXIdentifier",
  "AXDOMIdentifier",
  "AXTitle",
  "AXTitleUIElement",
  "AXChildren",
] as const;
/** Elements in a row that do not answer before the application is taken for blocked. */
const SILENT_LIMIT = 3;

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
    const probe = probeRole(elements, element, deadline);
    if ("error" in probe) return refuse(probe.error);
    // Nothing that a secure field draws has a path.
    if (probe.secrecy.childrenMayShow) return undefined;
    using arena = new Arena();
    const child = childAt(elements, element, probe.axRole, index, deadline, arena);
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
  return new Search(elements, query, scene, deadline).run(root);
}

/** An element still to be looked at. */
interface Pending {
  handle: Handle;
  path: number[];
  /** It is inside an element that may be a secure field. */
  inSecret: boolean;
  /** Its children are counted before they are listed: it may be a table of many thousand rows. */
  counted: boolean;
}

/** The little that is read of every element. */
interface Structure {
  /** `null`: could not be read. */
  axRole: string | undefined | null;
  axSubrole: string | undefined | null;
  id: string | undefined;
  domId: string | undefined;
  /** The name, where nothing can give the element another one. */
  name: string | undefined;
  known: KnownChildren | undefined;
}

class Search {
  readonly #found: { order: number[]; node: Node }[] = [];
  readonly #others: Node[] = [];
  readonly #seen = new Set<Handle>();
  readonly #queue: Pending[] = [];
  #complete = true;
  #read = 0;
  #silentRun = 0;

  constructor(
    private readonly elements: Elements,
    private readonly query: CandidateQuery,
    private readonly scene: Scene,
    private readonly deadline: Deadline,
  ) {}

  run(root: Handle): Candidates {
    this.#seen.add(root);
    this.#queue.push({ handle: root, path: [], inSecret: false, counted: false });
    for (let next = 0; next < this.#queue.length; next++) {
      const over = this.deadline.expired || this.#read >= OBSERVE_LIMITS.nodes ||
        this.#silentRun >= SILENT_LIMIT;
      if (over) {
        this.#complete = false;
        break;
      }
      this.#visit(this.#queue[next]!);
    }
    // They were found level by level; callers expect document order.
    this.#found.sort((a, b) => comparePaths(a.order, b.order));
    return {
      nodes: this.#found.map((hit) => hit.node),
      sameIdOtherRole: this.#others,
      complete: this.#complete,
      nodesRead: this.#read,
    };
  }

  #visit(pending: Pending): void {
    const element = this.elements.find(pending.handle);
    if (!element) return;
    this.#read++;
    using arena = new Arena();
    const structure = this.#structure(element, pending, arena);
    if (!structure) return;
    const { axRole, axSubrole } = structure;
    const role = roleOf(axRole ?? undefined, axSubrole ?? undefined);
    const inside = pending.inSecret ? insideSecret(role) : "show";
    if (inside === "hide") {
      this.#complete = false;
      return;
    }
    // Without its role nobody can say whether this is what is looked for.
    if (!axRole || axSubrole === null) this.#complete = false;
    this.#judge(pending, structure, role);
    const { value, childrenMayShow } = secrecyOf(axRole, axSubrole);
    if (value === "secure" || pending.path.length >= this.query.maxDepth) return;
    this.#follow(element, pending, structure, childrenMayShow || inside === "enter");
  }

  #structure(element: Ref, pending: Pending, arena: Arena): Structure | undefined {
    const names = pending.counted ? STRUCTURE.slice(0, -1) : STRUCTURE;
    const answer = this.elements.attributes(element, names, this.deadline, arena);
    if (!answered(answer)) {
      const lost = lostBy(answer.error);
      if (lost === "denied") throw notTrusted();
      // An element that is gone is no candidate; one that does not answer may be one.
      if (lost === "silent") {
        this.#complete = false;
        this.#silentRun++;
      }
      return undefined;
    }
    this.#silentRun = 0;
    const text = (i: number) => textSlot(answer.value[i]) ?? undefined;
    const [label, list] = answer.value.slice(5);
    const hasNoLabel = label !== undefined && isAbsentSlot(label);
    return {
      axRole: textSlot(answer.value[0]),
      axSubrole: textSlot(answer.value[1]),
      id: text(2),
      domId: text(3),
      name: hasNoLabel && !isBlank(text(4)) ? text(4) : undefined,
      known: list && {
        children: list.kind === "list" ? list.elements : undefined,
        childrenFailed: list.kind === "other" || (list.kind === "error" && !isAbsent(list.code)),
      },
    };
  }

  #judge(pending: Pending, structure: Structure, role: Role): void {
    const { handle, path } = pending;
    const index = path.at(-1) ?? 0;
    const { nativeId } = this.query;
    const { name } = this.query;
    const isNamedOtherwise = name !== undefined && structure.name !== undefined &&
      structure.name !== name;
    if (role === this.query.role) {
      if (isNamedOtherwise) return;
      const node = readElement(this.elements, handle, index, this.scene, this.deadline);
      if (node === "silent") this.#complete = false;
      else if (node !== "gone") this.#found.push({ order: path, node });
    } else if (nativeId) {
      const live = nativeId.kind === "ax_dom_identifier" ? structure.domId : structure.id;
      if (live !== nativeId.value) return;
      const node: Node = { role, states: [], actions: [], index, children: [], handle };
      this.#others.push({ ...node, nativeId });
    }
  }

  #follow(element: Ref, pending: Pending, structure: Structure, inSecret: boolean): void {
    const list = listChildren(
      this.elements,
      element,
      structure.axRole ?? undefined,
      structure.known,
      OBSERVE_LIMITS.childrenPerNode,
      this.deadline,
    );
    if (list.incomplete) this.#complete = false;
    for (const { handle, index } of list.children) {
      if (this.#seen.has(handle)) continue;
      this.#seen.add(handle);
      const counted = structure.axRole === "AXScrollArea";
      this.#queue.push({ handle, path: [...pending.path, index], inSecret, counted });
    }
  }
}
