/** `session start|end|list|gc` (system §7). */
import type { Context } from "../cli/context.ts";
import type { SessionArgs } from "../cli/table/mod.ts";
import { AppError } from "../errors.ts";
import { type Manifest, Sessions } from "../store/sessions.ts";

const MS_PER_SECOND = 1_000;

/**
 * Starts, ends, lists or removes sessions.
 *
 * @returns What the action's row of system §7 says; `list` names sessions whose manifest is broken
 * in `unreadable`.
 * @throws AppError `INVALID_ARGS` (no session to end, or an unknown one), `INTERNAL` (storage).
 */
export async function run(args: SessionArgs, context: Context): Promise<unknown> {
  const sessions = new Sessions(context.stateRoot());
  switch (args.action) {
    case "start": {
      const { id, ...rest } = describe(sessions.start(args.name, Date.now()));
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
          const { id, ...rest } = describe(manifest);
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
function describe({ id, name, created_at, ended_at, trace, artifacts }: Manifest) {
  return { id, name: name ?? null, created_at, ended_at: ended_at ?? null, trace, artifacts };
}
