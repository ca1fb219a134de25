/** `session start|end|list|gc` (docs/system.md, "Sessions"). */
import { AppError } from "../errors.ts";
import { type Manifest, Sessions } from "../store/sessions.ts";
import { flag, integer } from "./arg_values.ts";
import { type Args, describe, type Description, type Schema, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { ID_EXPECTED, isId } from "./limits.ts";

/** Longest name of a session, in characters (docs/contract.md, "Argument values"). */
const MAX_SESSION_NAME = 128;
/** Longest `--older-than`, in seconds: a hundred years. */
const MAX_AGE_SECONDS = 3_153_600_000;

/** Whether a session may be called that: short, and nothing a terminal would obey. */
function isSessionName(name: string): boolean {
  return [...name].length <= MAX_SESSION_NAME && !/\p{Cc}/u.test(name);
}

const startSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("start"),
    name: z.optional(z.string().check(z.refine(isSessionName))),
  });
type SessionStartArgs = Args<typeof startSchema>;

const endSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("end"),
    id: z.optional(z.string().check(z.refine(isId))),
  });
type SessionEndArgs = Args<typeof endSchema>;

const listSchema = (z: Zod) => z.strictObject({ action: z.literal("list") });
type SessionListArgs = Args<typeof listSchema>;

const gcSchema = (z: Zod) =>
  z.strictObject({
    action: z.literal("gc"),
    older_than: z.optional(integer(z, 0, MAX_AGE_SECONDS)),
    ended: flag(z),
  });
type SessionGcArgs = Args<typeof gcSchema>;

type SessionArgs = SessionStartArgs | SessionEndArgs | SessionListArgs | SessionGcArgs;

function describeAction<S extends Schema>(
  action: string,
  summary: string,
  rest: Pick<Description, "args" | "example"> & {
    schema: S;
    run(args: Args<S>, context: Context): Promise<unknown>;
  },
): Description {
  return describe({
    action,
    group: "Sessions",
    summary,
    privileges: ["read", "write", "ffi", "env"],
    permission: "none",
    ...rest,
  });
}

export const COMMAND: readonly Description[] = [
  describeAction("start", "Start a session: a namespace of its own for snapshots", {
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
    example: "--name invoices",
    run,
  }),
  describeAction("end", "End a session; its refs still resolve", {
    args: {
      id: {
        kind: "string",
        value: "ID",
        optional: true,
        help: "Session id (the selected session when not given)",
        expected: ID_EXPECTED,
      },
    },
    schema: endSchema,
    example: "run-1764498000000-4711-1",
    run,
  }),
  describeAction("list", "List the sessions, oldest first", {
    args: {},
    schema: listSchema,
    example: "",
    run,
  }),
  describeAction("gc", "Remove sessions that are over", {
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
    example: "--ended",
    run,
  }),
];

const MS_PER_SECOND = 1_000;

/**
 * Starts, ends, lists or removes sessions.
 *
 * @returns What docs/system.md, "Sessions" says of the action; `list` names sessions whose manifest is broken
 * in `unreadable`.
 * @throws AppError `INVALID_ARGS` (no session to end, or an unknown one), `INTERNAL` (storage).
 */
async function run(args: SessionArgs, context: Context): Promise<unknown> {
  const sessions = new Sessions(context.stateRoot());
  switch (args.action) {
    case "start": {
      const { id, ...rest } = sessionFacts(sessions.start(args.name, Date.now()));
      const { ended_at: _, ...facts } = rest;
      return { session_id: id, ...facts };
    }
    case "end": {
      const id = args.id ?? context.globals.session;
      if (id === undefined) {
        throw new AppError("INVALID_ARGS", "No session was named", {
          suggestion: "Pass the id that session start printed, or select it with --session.",
        });
      }
      const { ended_at } = sessions.end(id, Date.now());
      return { session_id: id, ended_at };
    }
    case "list": {
      const { sessions: found, unreadable } = sessions.list();
      return {
        sessions: found.map((manifest) => {
          const { id, ...rest } = sessionFacts(manifest);
          return { session_id: id, ...rest };
        }),
        ...(unreadable.length > 0 && { unreadable }),
      };
    }
    case "gc": {
      const { older_than, ended } = args;
      return {
        removed: sessions.collect({
          endedOnly: ended,
          ...(older_than !== undefined && { olderThanMs: older_than * MS_PER_SECOND }),
        }, Date.now()),
      };
    }
  }
}

/** A manifest with every key present. */
function sessionFacts({ id, name, created_at, ended_at, trace, artifacts }: Manifest) {
  return { id, name: name ?? null, created_at, ended_at: ended_at ?? null, trace, artifacts };
}
