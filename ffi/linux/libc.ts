/** Calls of the C library that reading needs; one table, because opening one costs time. */

const SYMBOLS = {
  poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

let library: Deno.DynamicLibrary<typeof SYMBOLS>["symbols"] | undefined;

/** The C library's functions; opened on first use. */
export function libc(): NonNullable<typeof library> {
  library ??= Deno.dlopen("libc.so.6", SYMBOLS).symbols;
  return library;
}
