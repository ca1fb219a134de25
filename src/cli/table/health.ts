/** Commands about the program and the machine it runs on. */
import type { Args, Row, Zod } from "./row.ts";
import { flag } from "./values.ts";

const permissionsSchema = (z: Zod) => z.strictObject({ request: flag(z), guide: flag(z) });
export type PermissionsArgs = Args<typeof permissionsSchema>;

export const HEALTH: readonly Row[] = [
  {
    name: "status",
    group: "Health",
    summary: "Tell what works here: permissions, surfaces, session, state root",
    args: {},
    example: "status",
    privileges: ["read", "ffi", "env"],
    permission: "none",
  },
  {
    name: "permissions",
    group: "Health",
    summary: "Tell which grants of the operating system are there",
    args: {
      request: {
        kind: "boolean",
        flag: "request",
        help: "Ask the user for what is missing (macOS)",
      },
      guide: {
        kind: "boolean",
        flag: "guide",
        help: "Open the settings pane that grants access (macOS)",
      },
    },
    schema: permissionsSchema,
    example: "permissions",
    privileges: ["read", "ffi", "env"],
    permission: "none",
  },
  {
    name: "version",
    group: "Health",
    summary: "Print version, target and operating system as JSON",
    args: {},
    example: "version",
    privileges: [],
    permission: "none",
    immediate: true,
  },
];
