/**
 * Types of the `@std` functions in use. The npm package the import map points at carries plain
 * JavaScript, so a function is declared here before it is first used.
 */

declare module "@std/cli/parse-args" {
  export interface ParseOptions {
    boolean?: boolean | readonly string[];
    string?: readonly string[];
    collect?: readonly string[];
    negatable?: readonly string[];
    alias?: Readonly<Record<string, string | readonly string[]>>;
    default?: Readonly<Record<string, unknown>>;
    /** Everything after `--` goes to `result["--"]` instead of `result._`. */
    "--"?: boolean;
    stopEarly?: boolean;
    /** Called for each argument that no option declares; `false` drops it. */
    unknown?: (arg: string, key?: string, value?: unknown) => unknown;
  }
  export interface ParsedArgs {
    _: (string | number)[];
    "--"?: string[];
    [name: string]: unknown;
  }
  export function parseArgs(args: readonly string[], options?: ParseOptions): ParsedArgs;
}

declare module "@std/encoding/base64" {
  export function encodeBase64(data: ArrayBuffer | Uint8Array | string): string;
}

declare module "@std/path" {
  export function basename(path: string, suffix?: string): string;
  export function dirname(path: string): string;
  export function extname(path: string): string;
  export function fromFileUrl(url: string | URL): string;
  export function isAbsolute(path: string): boolean;
  export function join(...parts: string[]): string;
  export function normalize(path: string): string;
  export function relative(from: string, to: string): string;
  export function resolve(...parts: string[]): string;
  export function toFileUrl(path: string): URL;
}

declare module "@std/text/levenshtein-distance" {
  export function levenshteinDistance(one: string, other: string): number;
}

declare module "@std/assert" {
  // deno-lint-ignore no-explicit-any -- the constructor of any class, whatever it takes
  type Class<T> = abstract new (...args: any[]) => T;

  export class AssertionError extends Error {}
  export function assert(condition: unknown, message?: string): asserts condition;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertStrictEquals<T>(
    actual: unknown,
    expected: T,
    message?: string,
  ): asserts actual is T;
  export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T>;
  export function assertFalse(condition: unknown, message?: string): asserts condition is false;
  export function assertGreater<T>(actual: T, bound: T, message?: string): void;
  export function assertGreaterOrEqual<T>(actual: T, bound: T, message?: string): void;
  export function assertLess<T>(actual: T, bound: T, message?: string): void;
  export function assertLessOrEqual<T>(actual: T, bound: T, message?: string): void;
  export function assertAlmostEquals(
    actual: number,
    expected: number,
    tolerance?: number,
    message?: string,
  ): void;
  export function assertArrayIncludes<T>(
    actual: ArrayLike<T>,
    expected: ArrayLike<T>,
    message?: string,
  ): void;
  export function assertInstanceOf<T>(
    actual: unknown,
    type: Class<T>,
    message?: string,
  ): asserts actual is T;
  export function assertMatch(actual: string, pattern: RegExp, message?: string): void;
  export function assertNotMatch(actual: string, pattern: RegExp, message?: string): void;
  export function assertObjectMatch(
    actual: Record<PropertyKey, unknown>,
    expected: Record<PropertyKey, unknown>,
    message?: string,
  ): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertIsError<E extends Error = Error>(
    error: unknown,
    type?: Class<E>,
    messageIncludes?: string | RegExp,
    message?: string,
  ): asserts error is E;
  export function assertThrows<E extends Error = Error>(
    run: () => unknown,
    type?: Class<E>,
    messageIncludes?: string,
    message?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    run: () => PromiseLike<unknown>,
    type?: Class<E>,
    messageIncludes?: string,
    message?: string,
  ): Promise<E>;
  export function fail(message?: string): never;
  export function unreachable(message?: string): never;
}
