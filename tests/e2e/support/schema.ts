/** The published shape of an envelope, strictly: no key more, in the order promised. */
import * as z from "zod/mini";

const rect = z.strictObject({
  height: z.number().check(z.nonnegative()),
  width: z.number().check(z.nonnegative()),
  x: z.number(),
  y: z.number(),
});
const text = z.string().check(z.minLength(1));
const count = z.int().check(z.nonnegative());
const STATES =
  ("focused disabled secure expanded checked selected hidden busy modal required indeterminate " +
    "pressed readonly offscreen invalid multiselectable haspopup").split(" ");
const ACTIONS =
  ("Click RightClick SetValue SetFocus Expand Collapse Select Toggle Scroll ScrollTo PressKey " +
    "KeyDown KeyUp TypeText Hover Drag Check Uncheck").split(" ");

const children: z.core.$ZodType = z.lazy(() => z.array(node).check(z.minLength(1)));

const node = z.strictObject({
  available_actions: z.optional(z.array(z.enum(ACTIONS)).check(z.minLength(1))),
  bounds: z.optional(rect),
  children: z.optional(children),
  children_count: z.optional(z.int().check(z.positive())),
  description: z.optional(text),
  hint: z.optional(text),
  name: z.optional(text),
  native_id: z.optional(
    z.strictObject({ kind: z.enum(["ax_identifier", "ax_dom_identifier"]), value: text }),
  ),
  ref_id: z.optional(z.string().check(z.regex(/^@s[0-9a-z]{4,63}:e[1-9][0-9]{0,9}$/))),
  role: z.string().check(z.regex(/^[a-z]+$/)),
  states: z.optional(z.array(z.enum(STATES)).check(z.minLength(1))),
  subtree_truncated: z.optional(z.literal(true)),
  value: z.optional(text),
  value_length: z.optional(count),
});

const window = z.strictObject({
  id: z.string().check(z.regex(/^w-[0-9]+\.[0-9]+-[A-Za-z0-9_-]+$/)),
  title: z.string(),
});

const partial = {
  app: text,
  ref_count: count,
  snapshot_id: z.string().check(z.regex(/^s[0-9a-z]{4,63}$/)),
  window,
  tree: node,
};
const snapshot = z.union([
  z.strictObject({ ...partial, complete: z.literal(true) }),
  z.strictObject({
    ...partial,
    complete: z.literal(false),
    truncated: z.literal(true),
    nodes_observed: count,
    details: z.optional(z.strictObject({ kind: text })),
    suggestion: z.optional(text),
  }),
]);

const error = z.strictObject({
  code: z.string().check(z.regex(/^[A-Z]+(_[A-Z]+)+$/)),
  message: text,
  suggestion: z.optional(text),
  recovery: z.optional(z.strictObject({
    strategy: text,
    retryable: z.boolean(),
    requires_fresh_snapshot: z.boolean(),
    retry_after_ms: z.optional(count),
  })),
  platform_detail: z.optional(text),
  details: z.optional(z.record(z.string(), z.unknown())),
  disposition: z.strictObject({
    delivery: z.enum([
      "not_delivered",
      "delivery_uncertain",
      "delivered_unverified",
      "delivered_verified",
      "unknown",
    ]),
    retry: z.enum(["safe", "unsafe", "unknown"]),
  }),
});

const envelopeOf = <T extends z.core.$ZodType>(command: string, data: T) =>
  z.union([
    z.strictObject({
      version: z.literal("2.5"),
      ok: z.literal(true),
      command: z.literal(command),
      data,
    }),
    z.strictObject({
      version: z.literal("2.5"),
      ok: z.literal(false),
      command: z.literal(command),
      error,
    }),
  ]);

const ENVELOPE_ORDER = ["version", "ok", "command", "data", "error"];
const ERROR_ORDER = [
  "code",
  "message",
  "suggestion",
  "recovery",
  "platform_detail",
  "details",
  "disposition",
];

/**
 * Throws unless `stdout` is one line that holds one snapshot envelope of the published shape, with
 * its keys in the published order.
 */
export function expectSnapshotEnvelope(stdout: string): void {
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`not one line: ${stdout.slice(0, 200)}`);
  const envelope = JSON.parse(stdout) as Record<string, unknown>;
  const result = z.safeParse(envelopeOf("snapshot", snapshot), envelope);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  expectOrder(envelope, ENVELOPE_ORDER);
  if (envelope["data"]) expectSorted(envelope["data"], "data");
  if (envelope["error"]) {
    const error = envelope["error"] as Record<string, unknown>;
    expectOrder(error, ERROR_ORDER);
    expectSorted(error["details"] ?? {}, "details");
  }
}

/** Throws unless the keys of an object stand in this order. */
export function expectOrder(object: Record<string, unknown>, order: string[]): void {
  const keys = Object.keys(object);
  const wanted = order.filter((key) => key in object);
  if (keys.join() !== wanted.join()) throw new Error(`keys are ${keys}, should be ${wanted}`);
}

/** Throws unless the keys of every object in a value are in alphabetical order. */
export function expectSorted(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  if (!Array.isArray(value) && keys.join() !== keys.toSorted().join()) {
    throw new Error(`keys of ${path} are not sorted: ${keys}`);
  }
  for (const key of keys) expectSorted((value as Record<string, unknown>)[key], `${path}.${key}`);
}
