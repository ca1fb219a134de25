/** Writing in full what a system call may take only a part of. */

/**
 * Writes every byte through `write`, which returns how many of them it took.
 *
 * @throws Deno.errors.WriteZero when it takes nothing more
 */
export function writeAll(write: (bytes: Uint8Array) => number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    const count = write(bytes.subarray(written));
    if (count <= 0) {
      throw new Deno.errors.WriteZero(`only ${written} of ${bytes.length} bytes were taken`);
    }
    written += count;
  }
}
