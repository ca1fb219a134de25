/**
 * Refusals by policy: what headless mode does not do, and what no mode does
 * (docs/acting.md, "Policy").
 */
import { AppError, type Details } from "../errors.ts";

/** Refusal of a command that moves the cursor, in headless mode. */
export function cursorRefusal(command: string, details?: Details): AppError {
  return new AppError(
    "POLICY_DENIED",
    `${command} moves the cursor, which is off in headless mode`,
    {
      suggestion: `Run ${command} again with --headed to permit cursor movement.`,
      ...(details === undefined ? {} : { details }),
    },
  );
}

/** Refusal of a command that would leave a key or button down after the process has ended. */
export function heldRefusal(command: string, suggestion: string): AppError {
  return new AppError(
    "ACTION_NOT_SUPPORTED",
    `${command} is not supported: what is held down must be released by the same command`,
    { suggestion },
  );
}

/** Refuses a pointer command in headless mode. Throws `POLICY_DENIED`. */
export function requireHeaded(command: string, headed: boolean): void {
  if (!headed) throw cursorRefusal(command);
}
