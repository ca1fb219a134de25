/**
 * Small files of /proc by way of the C library: Deno itself opens none of them for a program that
 * was not granted everything.
 */

import { libc } from "../libc.ts";

// <fcntl.h>, the same on every Linux architecture we build for.
const O_RDONLY = 0;
const O_CLOEXEC = 0o2000000;
// The kernel gives these files in one page.
const PAGE = 4096;

const decoder = new TextDecoder();

/** The text of a file below /proc (at most one page); `undefined` when it cannot be read. */
export function readProc(path: `/proc/${string}`): string | undefined {
  const library = libc();
  const name = new Uint8Array(new TextEncoder().encode(`${path}\0`));
  const descriptor = library.open(name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return undefined;
  const bytes = new Uint8Array(PAGE);
  const length = Number(library.read(descriptor, bytes, BigInt(PAGE)));
  library.close(descriptor);
  return length < 0 ? undefined : decoder.decode(bytes.subarray(0, length));
}
