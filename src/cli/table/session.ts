/** `session` and its actions. */
import type { Args, Row, Zod } from "./row.ts";
import { flag, integer } from "./values.ts";

/** Longest name of a session, in characters (contract §8). */
export const MAX_SESSION_NAME = 128;
/** Longest `--older-than`, in seconds: a hundred years. */
const MAX_AGE_SECONDS = 3_153_600_000;

/** What a session id or agent id looks like (contract §5). */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id);
}

/** Whether a session may be called that: short, and nothing a terminal would obey. */
function isSessionName(name: string): boolean {
  return [...name].length <= MAX_SESSION_NAME && !/\p{Cc}/u.test(name);
}

const startSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("start"),
    name: z.optional(z.string().check(z.refine(isSessionName))),
  });
export type SessionStartArgs = Args<typeof startSchema>;

const endSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("end"),
    id: z.optional(z.string().check(z.refine(isSessionId))),
  });
export type SessionEndArgs = Args<typeof endSchema>;

const listSchema = (z: Zod) => z.strictObject({ action: z.literal("list") });
export type SessionListArgs = Args<typeof listSchema>;

const gcSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("gc"),
    older_than: z.optional(integer(z, 0, MAX_AGE_SECONDS)),
    ended: flag(z),
  });
export type SessionGcArgs = Args<typeof gcSchema>;

export type SessionArgs = SessionStartArgs | SessionEndArgs | SessionListArgs | SessionGcArgs;

const row = (
  action: string,
  summary: string,
  rest: Pick<Row, "args" | "schema" | "example">,
): Row => ({
  name: "session",
  action,
  group: "Sessions",
  summary,
  privileges: ["read", "write", "ffi", "env"],
  permission: "none",
  ...rest,
});

export const SESSION: readonly Row[] = [
  row("start", "Start a session: a namespace of its own for snapshots", {
    args: {
      name: {
        kind: "string",
        flag: "name",
        value: "TEXT",
        help: "A name people can read",
        expected: `at most ${MAX_SESSION_NAME} characters, none of them a control character`,
      },
    },
    schema: startSchema,
    example: "session start --name invoices",
  }),
  row("end", "End a session; its refs still resolve", {
    args: {
      id: {
        kind: "string",
        value: "ID",
        optional: true,
        help: "Session id (the selected session when not given)",
        expected: "1 to 64 letters, digits, _ or -",
      },
    },
    schema: endSchema,
    example: "session end run-1764498000000-4711-1",
  }),
  row("list", "List the sessions, oldest first", {
    args: {},
    schema: listSchema,
    example: "session list",
  }),
  row("gc", "Remove sessions that are over", {
    args: {
      older_than: {
        kind: "integer",
        flag: "older-than",
        value: "SECS",
        help: "Also open ones that were last used that long ago",
        expected: `an integer from 0 to ${MAX_AGE_SECONDS}`,
      },
      ended: { kind: "boolean", flag: "ended", help: "Only sessions that were ended" },
    },
    schema: gcSchema,
    example: "session gc --ended",
  }),
];
