/** How an application to try is described: as data, so that another one is a few lines more. */

/** An element, found as a user of the program finds it: `find` with these filters. */
export interface Target {
  role?: string;
  name?: string;
  value?: string;
  /** The name has to match as a whole. */
  exact?: true;
  /** Which of several (from 0); without it, several are a failure. */
  nth?: number;
}

/** One command of the program: `click` on a button, `press` of a key. */
export interface Step {
  command: string;
  on?: Target;
  /** Further arguments, behind the ref. */
  with?: string[];
  /** The window (beginning of its title) if it is not the application's first one. */
  window?: string;
  headed?: true;
}

/** What another look than the program's own answer has to show afterwards, and not before. */
export type Check =
  /** A window whose title begins so, as the X server tells it (`gone`: no longer). */
  | { title: string; gone?: true }
  /** A file in the application's home that contains a text. */
  | { file: string; has: string }
  /** An accessible as libatspi tells it; all that is given has to hold of one. */
  | { name?: string; role?: string; text?: string; value?: number; state?: string; gone?: true }
  /** At least so many pixels of the screen look different. */
  | { pixels: number };

/** Something a person does with an application. */
export interface Operation {
  what: string;
  steps: Step[];
  check: Check;
}

/** An application to try. */
export interface Application {
  name: string;
  toolkit: string;
  /** Debian packages. */
  packages: string[];
  command: string[];
  env?: Record<string, string>;
  /** Files written into its home first; a value that begins with `/` names a file to copy. */
  files?: Record<string, string>;
  /** How the X server knows its window: the beginning of the title. */
  title: string;
  /** Its accessible name; without one it is expected to have no accessibility. */
  app?: string;
  /** The beginning of the accessible title of the window to read, if it has several. */
  window?: string;
  /** The last operation ends it. */
  ends?: true;
  /** Reading all of it one by one does not end (a sheet): do it last. */
  endless?: true;
  operations: Operation[];
}

/** What became of an operation. */
export interface Outcome {
  what: string;
  /** `verified`, `sent`, `nothing`, or the error's code with what went wrong. */
  answer: string;
  /** What the error said, for whoever runs the script. */
  detail?: string;
  /** Whether the other look saw it. */
  seen: boolean;
  /** The program claimed success. */
  claimed: boolean;
}

/** What trying an application gave. */
export interface Result {
  name: string;
  toolkit: string;
  /** Of its package. */
  version: string;
  /** Name and version of its toolkit as it tells them. */
  told: string;
  /** What went wrong with the trial as a whole. */
  failure?: string;
  nodes?: number;
  refs?: number;
  nameless?: number;
  complete?: boolean;
  snapshotMs?: number;
  readerNodes?: number;
  readerMs?: number;
  /** Why there is no time of the independent reader. */
  readerFailure?: string;
  /** Its windows as `list-windows` tells those without accessibility. */
  listed?: string;
  outcomes: Outcome[];
}
