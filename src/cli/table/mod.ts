/**
 * The command table: the one description of every command that parsing, validation, help,
 * privileges and the other entry points share.
 */
import { ACT } from "./act.ts";
import { HEALTH } from "./health.ts";
import { INPUT } from "./input.ts";
import { OBSERVE } from "./observe.ts";
import type { Row } from "./row.ts";
import { SESSION } from "./session.ts";

export type * from "./row.ts";
export type * from "./observe.ts";
export type * from "./act.ts";
export type * from "./input.ts";
export type * from "./session.ts";
export type * from "./health.ts";

/** Every command, in the order of the general help. */
export const TABLE: readonly Row[] = [...OBSERVE, ...ACT, ...INPUT, ...SESSION, ...HEALTH];
