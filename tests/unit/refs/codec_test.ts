import { assert, assertEquals, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { boundsHash } from "../../../src/refs/bounds_hash.ts";
import { encodeRefMap, MAX_REFMAP_BYTES } from "../../../src/refs/encode.ts";
import { decodeRefMap } from "../../../src/refs/decode.ts";
import type { RefEntry, RefMap } from "../../../src/refs/entry.ts";
import { evidenceFits } from "../../../src/refs/limits.ts";
import { randomNumbers } from "../tree/trees.ts";
import { entry, pageMap } from "./entries.ts";
import { sameText } from "../../../src/refs/stored_text.ts";

const text = (map: RefMap) => new TextDecoder().decode(encodeRefMap(map));
const decode = (json: string) => decodeRefMap(json, "/state/refmap.json");

/** Whatever is in the file, it is a map or a code that names the file. */
function decodeOrCode(json: string): "map" | "code" {
  try {
    for (const one of decode(json).entries.values()) assert(evidenceFits(one));
    return "map";
  } catch (error) {
    assert(error instanceof AppError, `${error}`);
    assertEquals(error.code, "INTERNAL");
    assertEquals(error.delivery, "not_delivered");
    assert(error.message.includes("/state/refmap.json"));
    return "code";
  }
}

Deno.test("what is written is read back the same", () => {
  const bounds = { x: -12.345, y: 0, width: 10.5, height: 0 };
  const entries = new Map<number, RefEntry>([
    [1, entry()],
    [
      2,
      entry({ name: null, description: "d", bounds_hash: 2n ** 64n - 1n, bounds_space: "window" }),
    ],
    [
      9,
      entry({
        role: "textfield",
        name: '"\\\u0000\u202e😀',
        value: "v",
        native_id: { kind: "ax_dom_identifier", value: "x" },
        bounds,
        bounds_hash: boundsHash(bounds),
        bounds_space: "screen",
        states: ["focused", "required"],
        available_actions: [],
        path: [3, 0, 0, 7],
        root_ref: "@e2",
        path_is_absolute: true,
        native_handle: ":1.9/org/x/0",
      }),
    ],
    [10, entry({ pid: 1, source_app: null, source_surface: "menu", path: [3, 0, 1] })],
    [11, entry({ path: [3], native_handle: "no-slash" })],
    [4294967295, entry({ path: [3, 0] })],
  ]);
  const map = { counter: 4294967295, entries };
  const back = decode(text(map));
  assertEquals(back.counter, map.counter);
  assertEquals([...back.entries], [...entries]);
  assertEquals(back.entries.get(9), entries.get(9));
  assertEquals(back.entries.size, 6);
  assertEquals(back.entries.get(3), undefined);
});

Deno.test("one entry of a large map is read without the others", () => {
  const map = pageMap(4000);
  const back = decode(text(map));
  for (const n of [4000, 1, 2345]) assertEquals(back.entries.get(n), map.entries.get(n));
  assertEquals(new Map(back.entries), map.entries);
});

Deno.test("4,000 ordinary refs of a web page stay under the limit", () => {
  const bytes = encodeRefMap(pageMap(4000)).length;
  console.log(`4,000 refs: ${bytes} bytes`);
  assert(bytes < MAX_REFMAP_BYTES);
});

Deno.test("no amount of text makes a map too large", () => {
  const long = pageMap(4000, (n) => `${n} ${"x".repeat(250)}`);
  for (const entry of long.entries.values()) {
    entry.description = "d".repeat(65_000);
    entry.native_id = { kind: "ax_identifier", value: "i".repeat(65_000) };
    entry.value = "v".repeat(65_000);
  }
  const back = decodeRefMap(text(long), "map");
  assertEquals(back.entries.size, 4000);
  // What was shortened still tells the elements apart, and may be shortened again.
  const again = decodeRefMap(text(back), "map");
  const names = new Set([...again.entries.values()].map(({ name }) => name));
  assertEquals(names.size, 4000);
  assert(sameText(again.entries.get(7)!.name!, `7 ${"x".repeat(250)}`));
  assert(!sameText(again.entries.get(7)!.name!, `8 ${"x".repeat(250)}`));
});

Deno.test("a map over the limit says how large it is and what shrinks it", () => {
  const error = assertThrows(() => encodeRefMap(pageMap(40_000)), AppError);
  assertEquals(error.code, "INTERNAL");
  assertEquals(error.delivery, "not_delivered");
  assertEquals(error.details?.["entries"], 40_000);
  assert((error.details?.["bytes"] as number) > MAX_REFMAP_BYTES);
  assertEquals(error.details?.["shrink_with"], ["--skeleton", "--max-depth", "--root"]);
  for (const flag of ["--skeleton", "--max-depth", "--root", "find"]) {
    assert(error.suggestion!.includes(flag));
  }
});

Deno.test("the limit is exact", () => {
  const map = (size: number): RefMap => ({
    counter: 20,
    entries: new Map(
      Array.from(
        { length: 20 },
        (_, i) => [i + 1, entry({ native_handle: "x".repeat(i === 0 ? size : 50_000) + `${i}` })],
      ),
    ),
  });
  const spare = MAX_REFMAP_BYTES - encodeRefMap(map(0)).length;
  assertEquals(encodeRefMap(map(spare)).length, MAX_REFMAP_BYTES);
  assertThrows(() => encodeRefMap(map(spare + 1)), AppError);
});

const GOOD = JSON.parse(text({
  counter: 2,
  entries: new Map([
    [1, entry({ path: [1, 2], bounds_hash: 5n, bounds_space: "screen" })],
    [2, entry({ path: [1, 3], native_id: { kind: "ax_identifier", value: "a" } })],
  ]),
}));

const BREAKS: Record<string, (file: typeof GOOD) => void> = {
  "no counter": (file) => delete file.counter,
  "a counter below a key": (file) => file.counter = 1,
  "a negative counter": (file) => file.counter = -1,
  "a counter that is text": (file) => file.counter = "2",
  "no entries": (file) => delete file.inner,
  "entries that are a list": (file) => file.inner = [],
  "a key with a leading zero": (file) => file.inner["@e02"] = file.inner["@e2"],
  "a key that is no ref": (file) => file.inner["x"] = file.inner["@e2"],
  "an entry that is null": (file) => file.inner["@e1"] = null,
  "an unknown role": (file) => file.inner["@e1"].role = "unknown",
  "an invented role": (file) => file.inner["@e1"].role = "gizmo",
  "a name that is a number": (file) => file.inner["@e1"].name = 7,
  "a name over the limit": (file) => file.inner["@e1"].name = "é".repeat(32_769),
  "a hash that is none": (file) => file.inner["@e1"].hash = "xyz",
  "a hash of 65 bits": (file) => file.inner["@e1"].hash = "1".repeat(17),
  "bounds that disagree with the hash": (file) => file.inner["@e1"].bounds = [1, 2, 3, 4],
  "a blank native id": (file) => file.inner["@e2"].id[1] = " ",
  "an unknown kind of native id": (file) => file.inner["@e2"].id[0] = 99,
  "a path that goes back too far": (file) => file.inner["@e2"].path = [3, 1],
  "a path of fractions": (file) => file.inner["@e1"].path = [0, 1.5],
  "an endless path": (file) => file.inner["@e1"].path = [0, ...Array(257).fill(0)],
  "a path that is text": (file) => file.inner["@e1"].path = "0",
  "a source that is not there": (file) => file.inner["@e1"].source = 1,
  "a source at a fraction": (file) => file.inner["@e1"].source = 0.5,
  "a pid of zero": (file) => file.shared.sources[0].pid = 0,
  "an empty process instance": (file) => file.shared.sources[0].process_instance = "",
  "an unknown surface": (file) => file.shared.sources[0].source_surface = "window",
  "an unknown action": (file) => file.shared.actions[0] = ["Explode"],
  "an unknown state": (file) => file.shared.states[0] = ["happy"],
  "states that are no list": (file) => file.shared.states = {},
  "a root ref above the counter": (file) => file.inner["@e1"].root = 3,
  "a handle without a prefix": (file) => file.inner["@e1"].handle = [0, "x"],
};
for (const [what, change] of Object.entries(BREAKS)) {
  Deno.test(`broken ref map: ${what}`, () => {
    const file = structuredClone(GOOD);
    assertEquals(decodeOrCode(JSON.stringify(file)), "map");
    change(file);
    assertEquals(decodeOrCode(JSON.stringify(file)), "code");
  });
}

Deno.test("random damage to a ref map never gets past the checks", () => {
  const random = randomNumbers(5);
  const good = text(pageMap(12));
  const bytes = new TextEncoder().encode(good);
  const counts = { map: 0, code: 0 };
  for (let i = 0; i < good.length; i += 7) counts[decodeOrCode(good.slice(0, i))]++;
  assertEquals(counts.map, 0, "a file cut short is never a map");
  for (let i = 0; i < 4000; i++) {
    const copy = bytes.slice();
    for (let n = 0; n <= random() * 3; n++) {
      copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
    }
    counts[decodeOrCode(new TextDecoder().decode(copy))]++;
  }
  for (let i = 0; i < 500; i++) {
    const noise = Uint8Array.from({ length: random() * 400 }, () => random() * 256);
    counts[decodeOrCode(new TextDecoder().decode(noise))]++;
  }
  for (const json of ["null", "[]", "{}", "0", '"x"', '{"__proto__":{}}', "[".repeat(100_000)]) {
    counts[decodeOrCode(json)]++;
  }
  console.log(`damaged ref maps: ${JSON.stringify(counts)}`);
  assert(counts.code > 1000);
});

Deno.test("the bounds hash depends on hundredths of a point and on every side", () => {
  const base = { x: 10, y: 20, width: 30, height: 40 };
  assertEquals(boundsHash(base), boundsHash({ ...base, x: 10.004 }));
  const hashes = new Set([boundsHash(base)]);
  for (const key of ["x", "y", "width", "height"] as const) {
    for (const by of [0.01, -0.01, 1, 1e7]) {
      hashes.add(boundsHash({ ...base, [key]: base[key] + by }));
    }
  }
  hashes.add(boundsHash({ x: 20, y: 10, width: 30, height: 40 }));
  hashes.add(boundsHash({ x: 10, y: 20, width: 40, height: 30 }));
  assertEquals(hashes.size, 19);
  assertEquals(
    boundsHash({ x: -0, y: 0, width: 0, height: 0 }),
    boundsHash({
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }),
  );
});

Deno.test("a grid of 160,000 rectangles has no two equal hashes", () => {
  const seen = new Set<bigint>();
  for (let x = 0; x < 400; x++) {
    for (let y = 0; y < 400; y++) {
      seen.add(boundsHash({ x: x * 3, y: y * 7, width: 20, height: 18 }));
    }
  }
  assertEquals(seen.size, 160_000);
});
