import { assert, assertEquals, assertThrows } from "@std/assert";
import { ACCESSIBILITY, answered, type Value } from "../../ffi/macos/accessibility.ts";
import { Arena, CORE_FOUNDATION, decimal } from "../../ffi/macos/core_foundation.ts";
import { CORE_GRAPHICS } from "../../ffi/macos/core_graphics.ts";
import { CORE_SERVICES } from "../../ffi/macos/core_services.ts";
import { LIB_SYSTEM } from "../../ffi/macos/lib_system.ts";
import { libraryPaths, NativeError } from "../../ffi/macos/library.ts";
import { Native } from "../../ffi/macos/native.ts";
import { OBJC } from "../../ffi/macos/objc.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";

const fake = await FakeMac.load();
const machine = { apps: [{ pid: 70, name: "Notes", frontmost: true, children: [] }] };

function typeName(type: unknown): string {
  if (typeof type === "object" && type !== null && "struct" in type) {
    const fields = type.struct as string[];
    return fields[0] === "isize" ? "RANGE" : fields.length === 2 ? "POINT" : "RECT";
  }
  return type === "pointer" ? "ptr" : type === "buffer" ? "buf" : String(type);
}

test("declarations equal the library's own signatures", () => {
  const defined = fake.signatures;
  const tables = [
    ...[ACCESSIBILITY, CORE_FOUNDATION, CORE_GRAPHICS, CORE_SERVICES, LIB_SYSTEM, OBJC],
  ];
  let compared = 0;
  for (const table of tables) {
    for (const [key, declared] of Object.entries(table)) {
      if (key.startsWith("msg")) continue; // one symbol, many signatures
      const real = defined.get(key);
      assert(real, `${key} is not defined`);
      if ("type" in declared) assertEquals([declared.type], [real.result], key);
      else {
        assertEquals(declared.parameters.map(typeName), real.parameters, key);
        assertEquals(typeName(declared.result), real.result, key);
      }
      compared++;
    }
  }
  assert(compared > 90, `only ${compared} compared`);
});

function scene<T>(work: (native: Native) => T): T {
  fake.become(machine);
  const before = fake.liveObjects;
  const native = new Native(fake.libraries);
  try {
    return work(native);
  } finally {
    native.close();
    assertEquals(fake.errors, 0, fake.errorLog);
    assertEquals(fake.liveObjects, before, fake.leaks);
  }
}

test("texts survive the way there and back", () => {
  scene(({ cf }) => {
    for (const text of ["", "a", "é你好😀", "nul\0inside", "‮rtl‬", "e\u0301", "x".repeat(70_000)]) {
      using ref = cf.string(text);
      assertEquals(cf.text(ref.pointer), { text, length: text.length, cut: false });
    }
    using lone = cf.string("a\ud800b");
    assertEquals(cf.text(lone.pointer).text, "a\ufffdb");
  });
});

test("a cut never splits a surrogate pair", () => {
  scene(({ cf }) => {
    using ref = cf.string("ab😀c");
    assertEquals(cf.text(ref.pointer, 3), { text: "ab", length: 5, cut: true });
    assertEquals(cf.text(ref.pointer, 4), { text: "ab😀", length: 5, cut: true });
    assertEquals(cf.text(ref.pointer, 0), { text: "", length: 5, cut: true });
  });
});

test("numbers keep their text", () => {
  scene(({ cf }) => {
    const cases: [number, string][] = [
      [0, "0"],
      [-7, "-7"],
      [2 ** 53 - 1, "9007199254740991"],
      [1.5, "1.5"],
      [1e21, "1000000000000000000000"],
      [1e-7, "0.0000001"],
      [-0, "-0"],
    ];
    for (const [value, text] of cases) {
      using ref = cf.number(value);
      assertEquals(cf.numberValue(ref.pointer), { value, text });
    }
  });
  assertEquals(decimal(Math.fround(0.1), true), "0.1");
  assertEquals(decimal(Math.fround(0.1)), "0.10000000149011612");
  assertEquals(decimal(1.5e-10), "0.00000000015");
});

test("paths survive as file URLs", () => {
  scene(({ cf }) => {
    for (const path of ["/tmp/a b", "/tmp/größe 100%", "/Applications/Notes.app"]) {
      using url = cf.fileUrl(path, path.endsWith(".app"));
      assertEquals(cf.urlPath(url.pointer), path);
    }
  });
});

test("a released reference is refused before it reaches the library", () => {
  scene(({ cf }) => {
    const ref = cf.string("x");
    ref[Symbol.dispose]();
    ref[Symbol.dispose]();
    assertThrows(() => ref.pointer, NativeError);
  });
});

test("an element's attributes of every type are decoded", () => {
  fake.become({
    apps: [{
      pid: 70,
      name: "Notes",
      children: [],
      attributes: {
        text: "t",
        yes: true,
        whole: -3,
        single: { float: 0.1 },
        double: { double: 2.5 },
        place: { point: [1, 2] },
        extent: { size: [3, 4] },
        box: { rect: [1, 2, 3, 4] },
        range: { range: [5, 6] },
        link: { url: "https://example.org/" },
        rich: { attributed: "r" },
        failed: { error: -25204 },
        nothing: null,
        odd: { private: true },
        self: { element: "app70" },
        words: { strings: ["a", "b"] },
      },
    }],
  });
  const native = new Native(fake.libraries);
  fake.mark();
  {
    using arena = new Arena();
    using app = native.ax.application(70);
    const read = (name: string): Value | number => {
      const answer = native.ax.attribute(app, name, 0.2, arena);
      return answered(answer) ? answer.value : answer.error;
    };
    assertEquals(read("text"), { kind: "text", text: "t", length: 1, cut: false });
    assertEquals(read("yes"), { kind: "bool", value: true });
    assertEquals(read("whole"), { kind: "number", value: -3, text: "-3" });
    assertEquals((read("single") as { text: string }).text, "0.1");
    assertEquals(read("double"), { kind: "number", value: 2.5, text: "2.5" });
    assertEquals(read("place"), { kind: "point", x: 1, y: 2 });
    assertEquals(read("extent"), { kind: "size", x: 3, y: 4 });
    assertEquals(read("box"), { kind: "rect", x: 1, y: 2, width: 3, height: 4 });
    assertEquals(read("range"), { kind: "range", location: 5, length: 6 });
    assertEquals(read("link"), { kind: "url", text: "https://example.org/" });
    assertEquals(read("rich"), { kind: "attributed", text: "r", length: 1, cut: false });
    assertEquals(read("failed"), -25204);
    assertEquals(read("nothing"), { kind: "none" });
    assertEquals(read("odd"), { kind: "other" });
    assertEquals((read("words") as { texts: string[] }).texts, ["a", "b"]);
    assertEquals(read("missing"), -25205);
  }
  native.close();
  assertEquals(fake.liveSinceMark, 0, fake.leaks);
  assertEquals(fake.errors, 0, fake.errorLog);
});

test("off macOS nothing is loaded unless it is handed in", () => {
  assertThrows(() => libraryPaths(), NativeError);
  assertThrows(() => new Native(), NativeError);
});

test("a missing library says which", () => {
  const native = new Native({ ...fake.libraries, coreGraphics: "/nowhere/CoreGraphics" });
  assertThrows(() => native.cg, NativeError, "/nowhere/CoreGraphics");
  native.close();
});
