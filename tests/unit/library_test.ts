/** Opening libraries by address: what is there works, what is not is said. */
import { assertEquals, assertThrows } from "@std/assert";
import { openLibrary } from "../../ffi/library.ts";

const LIBC = Deno.build.os === "darwin" ? "/usr/lib/libSystem.B.dylib" : "libc.so.6";

// A library stays open for good, which the check of resources would take for a leak.
const test = (name: string, fn: () => void) => Deno.test({ name, sanitizeResources: false, fn });

test("functions of a library take numbers and buffers and answer in their types", () => {
  const libc = openLibrary(LIBC, {
    strlen: { parameters: ["buffer"], result: "usize" },
    absolute: { name: "abs", parameters: ["i32"], result: "i32" },
  });
  assertEquals(libc.strlen(new TextEncoder().encode("seven78\0")), 7n);
  assertEquals(libc.absolute(-5), 5);
});

test("a missing function is null when it is optional, else an error that names it", () => {
  const absent = { parameters: [], result: "void" } as const;
  const libc = openLibrary(LIBC, { no_such_call: { ...absent, optional: true } });
  assertEquals(libc.no_such_call, null);
  assertThrows(() => openLibrary(LIBC, { no_such_call: absent }), Error, "no_such_call");
});

test("a missing library is an error", () => {
  assertThrows(() => openLibrary("libnone-such.so.9", {}), Error, "libnone-such");
});
