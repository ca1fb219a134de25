/** The one JSON object on stdout (docs/contract.md, "The envelope"). */
import { CONTRACT_VERSION } from "../contract.ts";
import { AppError, type Delivery, errorBody } from "../errors.ts";

/** The line for a success, newline included. */
export function successLine(command: string, data: unknown): string {
  return line({ version: CONTRACT_VERSION, ok: true, command, data: sorted(data) });
}

/** The line for a failure, newline included. */
export function errorLine(command: string, error: AppError): string {
  return line({
    version: CONTRACT_VERSION,
    ok: false,
    command,
    error: errorBody(error, sorted(error.details)),
  });
}

/** What the answer says about an action already made, for the case that nobody can read it. */
export function deliveryIn(answer: unknown): Delivery | undefined {
  if (answer instanceof AppError) return answer.delivery;
  const data = answer as { disposition?: { delivery?: unknown }; after_action?: unknown } | null;
  if (typeof data !== "object" || data === null) return undefined;
  const delivery = data.disposition?.delivery;
  if (typeof delivery === "string") return delivery as Delivery;
  return data.after_action === undefined ? undefined : deliveryIn(data.after_action);
}

// What JSON lets through and a terminal or a reader of lines obeys: DEL, C1 controls, marks and
// overrides of text direction, the two Unicode line separators.
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function line(envelope: Record<string, unknown>): string {
  const text = JSON.stringify(envelope);
  return text.replace(OBEYED, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")) + "\n";
}

/**
 * The same value with the keys of every object in alphabetical order. What JSON cannot say
 * (undefined, functions, 64-bit integers, numbers that are not finite) is left out, so that the
 * verdict of an action is never lost to a stray value. Objects already in order are not copied.
 */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const item = sorted(value[index]);
      if (item !== value[index]) copy ??= value.slice(0, index);
      if (copy !== undefined && item !== undefined) copy.push(item);
    }
    return copy ?? value;
  }
  if (typeof value === "object" && value !== null) return sortedObject(value);
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "bigint":
    case "function":
    case "symbol":
      return undefined;
    default:
      return value;
  }
}

// A tree has many thousands of objects, nearly all of them in order: those are only looked at, and
// `for … in` looks without making an array of keys. (All objects here are plain.)
function sortedObject(value: object): unknown {
  const source = value as Record<string, unknown>;
  if (!inOrder(source)) {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(source).sort()) put(copy, key, sorted(source[key]));
    return copy;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in source) {
    const item = source[key];
    const kept = typeof item === "string" ? item : sorted(item);
    if (kept !== item && copy === undefined) {
      copy = {};
      for (const earlier of Object.keys(source)) {
        if (earlier === key) break;
        put(copy, earlier, source[earlier]);
      }
    }
    if (copy !== undefined) put(copy, key, kept);
  }
  return copy ?? source;
}

function inOrder(object: Record<string, unknown>): boolean {
  let before = "";
  for (const key in object) {
    if (key < before) return false;
    before = key;
  }
  return true;
}

function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  // Assignment to `__proto__` would set the prototype and lose the key.
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true });
  else object[key] = value;
}
