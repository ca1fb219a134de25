/** Ref entries to test with. */
import { boundsHash } from "../../../src/refs/bounds_hash.ts";
import type { RefEntry, RefMap, Source } from "../../../src/refs/entry.ts";

export const SOURCE: Source = {
  pid: 4711,
  process_instance: "linux-proc-v1:0a1b2c3d:123456",
  source_app: "Chromium",
  source_window_id: "w-1.42-org-a11y-atspi-accessible-1",
  source_window_title: "A page of rows",
  source_window_bounds_hash: 0xffff_ffff_ffff_ffffn,
};

export function entry(fields: Partial<RefEntry> = {}): RefEntry {
  return {
    ...SOURCE,
    role: "button",
    name: "Save",
    bounds_hash: null,
    available_actions: ["Click"],
    ...fields,
  };
}

/** Refs as a web page of `count` controls has them. */
export function pageMap(count: number, name = (n: number) => `Row ${n}: open the details`): RefMap {
  const entries = new Map<number, RefEntry>();
  for (let n = 1; n <= count; n++) {
    const bounds = { x: 8 + (n % 4) * 161.5, y: 40 + n * 23, width: 150, height: 21 };
    entries.set(
      n,
      entry({
        role: n % 4 === 0 ? "button" : n % 4 === 1 ? "link" : "cell",
        name: name(n),
        bounds_hash: boundsHash(bounds),
        bounds_space: "screen",
        available_actions: ["Click", "SetFocus", "ScrollTo"],
        ...(n % 5 === 0 && { states: ["disabled" as const] }),
        ...(n % 3 === 0 && { native_id: { kind: "ax_identifier" as const, value: `row-${n}` } }),
        path: [0, 0, 1, 0, 2, 0, 1, 3, Math.floor(n / 4), n % 4, 0],
        native_handle: `:1.42/org/a11y/atspi/accessible/${2_147_483_000 + n}`,
      }),
    );
  }
  return { counter: count, entries };
}
