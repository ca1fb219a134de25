/** `get REF`: one property of a live element (docs/observation.md, "Get"). */
import type { Deadline } from "../deadline.ts";
import { screenBounds } from "../platform/screen_bounds.ts";
import type { Platform } from "../platform/platform.ts";
import { lookUp, resolve, type Resolved } from "../refs/resolve.ts";
import { isBlank } from "../tree/node.ts";
import { hasTrait } from "../tree/roles.ts";
import { choiceArg, ref, REF_ARG } from "./arg_values.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { type Reading, wholeValue } from "./element_facts.ts";
import { READ_BUDGET_MS } from "./limits.ts";

const GET_PROPERTIES = ["text", "value", "title", "bounds", "role", "states"] as const;

const getSchema = (z: Zod) =>
  z.strictObject({ ref_id: ref(z), property: z._default(z.enum(GET_PROPERTIES), "text") });
type GetArgs = Args<typeof getSchema>;

export const COMMAND = describe({
  group: "Observe",
  summary: "Read one property of an element, live",
  args: {
    ref_id: REF_ARG,
    property: choiceArg("property", "P", GET_PROPERTIES, "text"),
  },
  schema: getSchema,
  example: "@s8f3k2p9:e1 --property value",
  privileges: ["read", "ffi", "env"],
  settles: true,
  permission: "accessibility",
  budgetMs: READ_BUDGET_MS,
  run,
});

/**
 * Resolves the ref and reads the property live.
 *
 * @returns `{property, ref, value, live?, truncated?}`; `truncated` marks a text above 8 MiB.
 * @throws AppError as `lookUp` and `resolve`.
 */
async function run(args: GetArgs, context: Context, deadline: Deadline): Promise<unknown> {
  const stored = lookUp(context.store(), args.ref_id);
  const platform = await context.platform();
  const element = await resolve(platform, stored, deadline);
  return {
    property: args.property,
    ref: args.ref_id,
    ...await read(platform, element, args.property, deadline),
  };
}

async function read(
  platform: Platform,
  element: Resolved,
  property: GetArgs["property"],
  deadline: Deadline,
): Promise<Reading> {
  const { node, entry } = element;
  switch (property) {
    case "text": {
      const name = node.unreadable?.includes("name") ? entry.name : node.name;
      const isSecure = node.states.includes("secure");
      if (!hasTrait(entry.role, "textIsValue") && !isBlank(name)) return { value: name };
      const content = isSecure ? undefined : await wholeValue(platform, element, deadline);
      return isBlank(content?.value as string | undefined) ? { value: name ?? "" } : content!;
    }
    case "value":
      return await wholeValue(platform, element, deadline) ?? { value: null };
    case "title":
      return { value: (node.unreadable?.includes("name") ? entry.name : node.name) ?? null };
    case "bounds":
      return await readBounds(platform, element, deadline);
    case "role":
      return { value: entry.role };
    case "states":
      return { value: node.unreadable?.includes("states") ? entry.states ?? [] : node.states };
  }
}

/** The place on the screen; when it cannot be read, the stored one, if that was on the screen. */
async function readBounds(
  platform: Platform,
  { node, entry }: Resolved,
  deadline: Deadline,
): Promise<Reading> {
  const bounds = await screenBounds(platform, node, deadline);
  if (bounds !== undefined) return { value: bounds, live: true };
  const unreadable = node.unreadable?.includes("bounds") && entry.bounds_space !== "window";
  return { value: unreadable ? entry.bounds ?? null : null };
}
