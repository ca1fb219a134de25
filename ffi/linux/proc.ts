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

/** The text of a file below /proc (at most one page); `undefined` when it cannot be read. */
export function readProc(path: `/proc/${string}`): string | undefined {
  return readPages(path, 1);
}

/**
 * The text of a file below /proc that is a list and may be long.
 *
 * @param maxPages pages (of 4 KiB) read at most; the last line may be cut there
 * @returns `undefined` when it cannot be read
 */
export function readPages(path: `/proc/${string}`, maxPages: number): string | undefined {
  const library = libc();
  const descriptor = library.open(terminated(path), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return undefined;
  const text = new TextDecoder();
  const bytes = new Uint8Array(PAGE);
  let whole: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const length = Number(library.read(descriptor, bytes, BigInt(PAGE)));
    if (length < 0) break;
    whole = (whole ?? "") + text.decode(bytes.subarray(0, length), { stream: true });
    if (length === 0) break;
  }
  library.close(descriptor);
  return whole;
}

/** Where a link below /proc leads; `undefined` when it cannot be read. */
export function readProcLink(path: `/proc/${string}`): string | undefined {
  const bytes = new Uint8Array(PAGE);
  const length = Number(libc().readlink(terminated(path), bytes, BigInt(PAGE)));
  return length < 0 ? undefined : new TextDecoder().decode(bytes.subarray(0, length));
}

function terminated(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${path}\0`));
}
