/** Time budgets of actions, from the environment. */
import { AppError } from "../errors.ts";

/** Milliseconds for the parts of an action. */
export interface Budgets {
  /** Until an expansion shows. */
  chain: number;
  /** Until a menu or popover that an action opens is there. */
  menu: number;
  /** Until an on/off state or a value follows an action. */
  toggle: number;
  /** How long an on/off state must hold to count. */
  toggleStable: number;
}

// Name, default and cap of each (docs/acting.md, "Budgets").
const CHAIN = ["AGENT_DESKTOP_CHAIN_TIMEOUT_MS", 10_000, 300_000] as const;
const MENU = ["AGENT_DESKTOP_MENU_TIMEOUT_MS", 750, 10_000] as const;
const TOGGLE = ["AGENT_DESKTOP_TOGGLE_TIMEOUT_MS", 600, 10_000] as const;
const TOGGLE_STABLE = ["AGENT_DESKTOP_TOGGLE_STABLE_MS", 200, 2_000] as const;

/**
 * Reads the budgets; a value above its cap counts as the cap.
 *
 * @throws AppError `INVALID_ARGS` when a variable is set to something else than whole milliseconds
 */
export function readBudgets(env: (name: string) => string | undefined = envVariable): Budgets {
  const read = ([name, byDefault, cap]: readonly [string, number, number]): number => {
    const text = env(name);
    if (text === undefined || text === "") return byDefault;
    if (!/^\d{1,15}$/.test(text)) {
      throw new AppError("INVALID_ARGS", `${name} must be a whole number of milliseconds`, {
        suggestion: `Unset ${name}, or set it to a value from 0 to ${cap}.`,
      });
    }
    return Math.min(Number(text), cap);
  };
  return {
    chain: read(CHAIN),
    menu: read(MENU),
    toggle: read(TOGGLE),
    toggleStable: read(TOGGLE_STABLE),
  };
}

function envVariable(name: string): string | undefined {
  return Deno.env.get(name);
}
