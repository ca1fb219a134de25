/** A test that may load libraries: they are never closed again, by design, so it is not checked. */
export function test(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, fn, sanitizeResources: false });
}
