/**
 * Random applications, edited at random between snapshot and use. Whatever happened, a ref gives
 * the element it named, or says that it cannot tell: never another one.
 */
import { assert, assertEquals } from "@std/assert";
import { Deadline } from "../../../src/deadline.ts";
import { AppError } from "../../../src/errors.ts";
import { TestPlatform } from "../../support/test_platform/platform.ts";
import { byId, everyNode, handleOf, type TestNode } from "../../support/test_platform/world.ts";
import { encodeRefMap } from "../../../src/refs/encode.ts";
import { decodeRefMap } from "../../../src/refs/decode.ts";
import type { RefEntry, RefMap } from "../../../src/refs/entry.ts";
import { hasMeaningfulIdentity } from "../../../src/refs/identity.ts";
import { resolve } from "../../../src/refs/resolve.ts";
import { allocate } from "../../../src/refs/allocate.ts";
import { normalise } from "../../../src/tree/normalise.ts";
import type { Role } from "../../../src/tree/roles.ts";
import { randomNumbers } from "../tree/trees.ts";

interface Setting {
  name: string;
  seed: number;
  edits: number;
  /** Handles outlive a command (AT-SPI) or not (AX). */
  handlesPersist: boolean;
  /** Elements stand in a column, so that what is removed is replaced in its place by the next. */
  reflow: boolean;
  /** The toolkit may give a living element a new handle. */
  rebuilds: boolean;
}

const SETTINGS: Setting[] = [
  {
    name: "stable handles, one column",
    seed: 11,
    edits: 3000,
    handlesPersist: true,
    reflow: true,
    rebuilds: false,
  },
  {
    name: "rebuilt handles, free places",
    seed: 22,
    edits: 3000,
    handlesPersist: true,
    reflow: false,
    rebuilds: true,
  },
  {
    name: "no handles, free places",
    seed: 33,
    edits: 3000,
    handlesPersist: false,
    reflow: false,
    rebuilds: false,
  },
];

const ROLES: Role[] = ["button", "button", "link", "textfield", "checkbox", "cell", "option"];
const SHARED_NAMES = ["Delete", "Open", "Edit"];

/** An application that can be edited at random. */
class Model {
  readonly random: () => number;
  readonly platform: TestPlatform;
  readonly root: TestNode = { id: "root", role: "window", name: "Model", children: [] };
  #next = 1;
  /** Handles of removed elements, which later ones may get. */
  readonly #free: string[] = [];
  /** Rows whose identifier is their number. */
  readonly #numbered = new Set<string>();
  /** Which element had which handle and look: another one never gets both. */
  readonly #owners = new Map<string, string>();

  constructor(readonly setting: Setting) {
    this.random = randomNumbers(setting.seed);
    this.platform = new TestPlatform({
      handlesPersist: setting.handlesPersist,
      apps: [{
        name: "model",
        pid: 7,
        windows: [{ id: "w-1", title: "Model", focused: true, root: this.root }],
      }],
    });
    for (let i = 0; i < 24; i++) this.insert();
    this.layOut();
  }

  int(below: number): number {
    return Math.floor(this.random() * below);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.int(items.length)];
  }

  get elements(): TestNode[] {
    return [...everyNode(this.platform.world)].map(({ node }) => node)
      .filter((node) => node !== this.root);
  }

  insert(): void {
    const id = `n${this.#next++}`;
    const role = this.pick(ROLES)!;
    const kind = this.random();
    const node: TestNode = { id, role, actions: ["Click"], children: [] };
    if (kind < 0.45) node.name = `Name ${id}`;
    else if (kind < 0.75) node.name = this.pick(SHARED_NAMES)!;
    else if (kind < 0.82) node.description = `About ${id}`;
    if (role === "textfield" && this.random() < 0.5) node.value = `text ${this.int(5)}`;
    // Without handles nothing tells unnamed rows apart whose numbers move on.
    if (role === "option" && (node.name !== undefined || this.setting.handlesPersist)) {
      this.#numbered.add(id);
    } else if (this.random() < 0.2) node.nativeId = { kind: "ax_identifier", value: `id-${id}` };
    node.handle = this.#handleFor(node, id);
    this.#own(node);
    const parents = [this.root, ...this.elements.filter((one) => one.role === "cell")];
    const siblings = this.pick(parents)!.children!;
    siblings.splice(this.int(siblings.length + 1), 0, node);
  }

  /** A new handle, or that of a removed element. */
  #handleFor(node: TestNode, id: string): string {
    const usable = this.#free.findIndex((handle) => this.#mayLook(node, handle));
    if (usable >= 0 && this.random() < 0.6) return this.#free.splice(usable, 1)[0]!;
    return `:1.9/app/${id}-${this.#next++}`;
  }

  /**
   * Whether an element may look as it does behind that handle. A toolkit that gave the handle of a
   * removed element to another one of the same role and text would leave no trace of it.
   */
  #mayLook(node: TestNode, handle: string): boolean {
    return (this.#owners.get(handle + lookOf(node, false)) ?? node.id) === node.id;
  }

  #own(node: TestNode): void {
    this.#owners.set(handleOf(node) + lookOf(node, false), node.id);
  }

  edit(): string {
    const elements = this.elements;
    const node = this.pick(elements);
    const kind = this.int(8);
    if (node === undefined || kind === 0 || elements.length < 12) {
      this.insert();
      return "insert";
    }
    const { parent, index } = byId(this.platform.world, node.id);
    const siblings = parent!.children!;
    switch (kind) {
      case 1: {
        siblings.splice(index, 1);
        const gone = [node, ...descendants(node)];
        this.#free.push(...gone.map((one) => handleOf(one)));
        return "remove";
      }
      case 2:
        siblings.sort(() => this.random() - 0.5);
        return "reorder";
      case 3:
        if (node.name !== undefined) {
          node.name = this.pick(SHARED_NAMES)!;
          if (this.random() < 0.5 || !this.#mayLook(node, handleOf(node))) {
            node.name = `New ${this.#next++}`;
          }
          this.#own(node);
        }
        return "rename";
      case 4: {
        siblings.splice(index, 1);
        this.root.children!.splice(this.int(this.root.children!.length + 1), 0, node);
        return "move to another parent";
      }
      case 5:
        if (node.role === "textfield") node.value = `text ${this.int(5)}`;
        else node.states = node.states?.length ? [] : ["checked"];
        return "use";
      case 6:
        if (!this.setting.reflow) delete node.bounds;
        return "move elsewhere";
      default:
        if (this.setting.rebuilds) {
          // The old handle is not given to anyone: it may still be in a ref.
          node.handle = `:1.9/app/${node.id}-${this.#next++}`;
          this.#own(node);
        }
        return "rebuild";
    }
  }

  /** Gives every element its place: its row in the column, or one nobody ever had. */
  layOut(): void {
    let y = 0;
    // Some applications number their rows; the number passes on when a row goes.
    let row = 0;
    for (const node of this.elements.filter(({ id }) => this.#numbered.has(id))) {
      node.nativeId = { kind: "ax_identifier", value: `row-${row++}` };
      this.#own(node);
    }
    for (const node of this.elements) {
      if (this.setting.reflow) node.bounds = { x: 0, y: y += 20, width: 100, height: 20 };
      else node.bounds ??= { x: this.#next++ * 3, y: 0, width: 2, height: 2 };
    }
  }
}

function* descendants(node: TestNode): Generator<TestNode> {
  for (const child of node.children ?? []) {
    yield child;
    yield* descendants(child);
  }
}

/** What identity sees of an element; its identifier counts only where the ref stored one. */
function lookOf(node: TestNode, withId = true): string {
  return JSON.stringify([
    node.role,
    (withId ? node.nativeId?.value : undefined) ?? null,
    node.name ?? node.description ?? null,
  ]);
}

/** A snapshot, with what the test knows about its elements. */
interface Snapshot {
  map: RefMap;
  refs: { number: number; entry: RefEntry; id: string; look: string; isUnique: boolean }[];
}

async function takeSnapshot(model: Model): Promise<Snapshot> {
  const observation = await model.platform.observe(handleOf(model.root), {
    maxDepth: 50,
    bounds: "identity",
  }, Deadline.after(1000));
  const allocation = allocate(normalise(observation!.root), {
    source: {
      pid: 7,
      process_instance: "test-proc-v1:7",
      source_app: "model",
      source_window_id: "w-1",
      source_window_title: "Model",
    },
    storeHandles: model.setting.handlesPersist,
  });
  const nodes = model.elements;
  const looks = nodes.map((node) => lookOf(node));
  const map = decodeRefMap(new TextDecoder().decode(encodeRefMap(allocation)), "model");
  const refs = [...map.entries].map(([number, entry], at) => ({
    number,
    entry,
    id: nodes[at]!.id,
    look: looks[at]!,
    isUnique:
      nodes.filter((node) => lookOf(node, entry.native_id !== undefined) === looks[at]).length ===
        1,
  }));
  // Every element is interactive, so refs and elements are in the same order.
  assertEquals(refs.length, nodes.length);
  return { map, refs };
}

/**
 * Whether an element may answer for the one a ref named: it is that one, or the application put it
 * in the place of one that is gone and whose name nobody shared.
 */
function isRight(model: Model, ref: Snapshot["refs"][number], handle: string): boolean {
  const elements = model.elements;
  const found = elements.find((node) => handleOf(node) === handle)!;
  if (found.id === ref.id) return true;
  const original = elements.find((node) => node.id === ref.id);
  const withId = ref.entry.native_id !== undefined;
  return ref.isUnique && lookOf(found, withId) === ref.look &&
    (original === undefined || lookOf(original, withId) !== ref.look);
}

/** Whether nothing about the element changed that could make it unrecognisable. */
function isUnchanged(model: Model, { id, look, entry, isUnique }: Snapshot["refs"][number]) {
  const node = model.elements.find((one) => one.id === id);
  if (node === undefined || lookOf(node) !== look) return false;
  if (!hasMeaningfulIdentity(entry)) return false;
  // Without a handle a shared name needs its place, and others may have come or gone.
  return model.setting.handlesPersist ? handleOf(node) === entry.native_handle : isUnique &&
    model.elements.filter((one) => lookOf(one, entry.native_id !== undefined) === look).length ===
      1;
}

for (const setting of SETTINGS) {
  Deno.test(`no edit makes a ref name another element: ${setting.name}`, async () => {
    const model = new Model(setting);
    const counts = { same: 0, stale: 0, ambiguous: 0, wrong: 0, refused: 0 };
    let snapshots = [await takeSnapshot(model)];
    for (let step = 0; step < setting.edits; step++) {
      const edit = model.edit();
      model.layOut();
      for (const { map, refs } of snapshots) {
        const asked = step % 10 === 0 ? refs : [refs[model.int(refs.length)]!];
        for (const ref of asked) {
          const stored = { ref: { snapshot: "model", number: ref.number }, entry: ref.entry, map };
          try {
            const { handle } = await resolve(model.platform, stored, Deadline.after(1000));
            if (isRight(model, ref, handle)) counts.same++;
            else {
              counts.wrong++;
              console.error(`step ${step} (${edit}): ${ref.look} ${ref.id} gave ${handle}`);
            }
          } catch (error) {
            assert(error instanceof AppError, String(error));
            if (error.code === "AMBIGUOUS_TARGET") counts.ambiguous++;
            else {
              assertEquals(error.code, "STALE_REF", error.message);
              counts.stale++;
            }
            if (isUnchanged(model, ref)) {
              counts.refused++;
              console.error(`step ${step} (${edit}): ${ref.look} ${ref.id} was refused`);
            }
          }
        }
      }
      if (step % 25 === 24) snapshots = [await takeSnapshot(model), ...snapshots].slice(0, 3);
    }
    console.log(`${setting.name}: ${JSON.stringify(counts)}`);
    assertEquals(counts.wrong, 0);
    // A program that refuses everything is never wrong either.
    assertEquals(counts.refused, 0);
  });
}
