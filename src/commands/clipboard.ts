/** The clipboard: `clipboard-get`, `clipboard-set`, `clipboard-clear`. */
import type { Deadline } from "../deadline.ts";
import { AppError, disposition } from "../errors.ts";
import { pngSize } from "../image/png.ts";
import {
  type ClipboardContent,
  type ClipboardFormat,
  MAX_CLIPBOARD_FILES,
  MAX_CLIPBOARD_IMAGE,
  MAX_CLIPBOARD_TEXT,
} from "../platform/clipboard.ts";
import { acquireLease } from "../store/lease.ts";
import { ensureDirectory } from "../store/private_file.ts";
import { writeUserFile } from "../store/user_file.ts";
import { type Args, describe, type Zod } from "./command.ts";
import type { Context } from "./context.ts";
import { READ_BUDGET_MS } from "./limits.ts";

const FORMATS: Readonly<Record<string, ClipboardFormat>> = {
  text: "text",
  plain_text: "text",
  image: "image",
  png: "image",
  file_urls: "file_urls",
  auto: "auto",
};
const FORMAT_EXPECTED = "one of text, image, file-urls, auto";

const getSchema = (z: Zod) =>
  z.strictObject({
    format: z._default(
      z.pipe(
        z.string(),
        z.transform((value: string, context): ClipboardFormat => {
          const name = value.trim().toLowerCase().replaceAll("-", "_");
          const found = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
          if (found === undefined) context.issues.push({ code: "custom", input: value });
          return found ?? "text";
        }),
      ),
      "text",
    ),
    out: z.optional(z.string()),
  });

const setSchema = (z: Zod) =>
  z.strictObject({
    text: z.optional(z.string().check(z.refine((value) => value.length <= MAX_CLIPBOARD_TEXT))),
    image: z.optional(z.string()),
    file_url: z._default(
      z.array(z.string()).check(z.refine((paths) => paths.length <= MAX_CLIPBOARD_FILES)),
      [],
    ),
  });

const clearSchema = (z: Zod) => z.strictObject({});

/** Saved pictures in the state root are removed after this long. */
const KEEP_MS = 3_600_000;

const SHARED = {
  group: "Clipboard and screen",
  permission: "none",
  // The process that keeps the content has to start first.
  budgetMs: 2 * READ_BUDGET_MS,
} as const;

/** The commands by name. */
export const COMMANDS = {
  "clipboard-get": describe({
    ...SHARED,
    summary: "Read the clipboard: text, a picture, or files",
    about: "A picture is written to a file; without --out to one in the state root.",
    args: {
      format: {
        kind: "string",
        flag: "format",
        value: "F",
        help: "text, image, file-urls, or auto: files, else a picture, else text",
        default: "text",
        expected: FORMAT_EXPECTED,
      },
      out: { kind: "string", flag: "out", value: "PATH", help: "Where a picture is written" },
    },
    schema: getSchema,
    example: "--format auto",
    privileges: ["read", "write", "run", "ffi", "env"],
    run: get,
  }),
  "clipboard-set": describe({
    ...SHARED,
    summary: "Put text, a picture, or files on the clipboard",
    about: "The content stays when this program has ended, until something else is copied. Files " +
      "come before a picture before text; without an argument the text is empty.",
    args: {
      text: {
        kind: "string",
        value: "TEXT",
        optional: true,
        dash: true,
        text: true,
        help: "Text to copy",
        expected: `at most ${MAX_CLIPBOARD_TEXT} characters`,
      },
      image: { kind: "string", flag: "image", value: "PNG", help: "A PNG file to copy as picture" },
      file_url: {
        kind: "string",
        flag: "file-url",
        value: "PATH",
        repeat: true,
        help: "A file to copy; repeat it for more",
        expected: `at most ${MAX_CLIPBOARD_FILES} paths`,
      },
    },
    schema: setSchema,
    example: '"Hello, world"',
    privileges: ["read", "write", "ffi", "env"],
    run: set,
  }),
  "clipboard-clear": describe({
    ...SHARED,
    summary: "Empty the clipboard",
    args: {},
    schema: clearSchema,
    example: "",
    privileges: ["read", "write", "ffi", "env"],
    run: clear,
  }),
};

async function clipboard(context: Context) {
  const platform = await context.platform();
  return await platform.clipboard(() => folder(context));
}

/** The private folder for what has to be a file for a while. */
function folder(context: Context): string {
  const { session } = context.globals;
  const root = context.stateRoot();
  const path = session === undefined ? `${root}/tmp` : `${root}/sessions/${session}/clipboard`;
  ensureDirectory(path);
  if (session === undefined) sweep(path);
  return path;
}

/** Removes pictures that nobody has fetched for an hour. */
function sweep(path: string): void {
  try {
    for (const { name, isFile } of Deno.readDirSync(path)) {
      if (!isFile || !name.startsWith("clipboard-")) continue;
      const age = Date.now() - (Deno.lstatSync(`${path}/${name}`).mtime?.getTime() ?? Date.now());
      if (age > KEEP_MS) Deno.removeSync(`${path}/${name}`);
    }
  } catch {
    // Another process tidies up at the same time.
  }
}

/** @throws AppError what reading raises, and what writing the file of a picture raises */
async function get(
  { format, out }: Args<typeof getSchema>,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const content = await (await clipboard(context)).read(format, deadline);
  if (content === undefined) return { type: format, found: false };
  switch (content.type) {
    case "text":
      return content;
    case "file_urls":
      return { type: "file_urls", file_urls: content.paths };
    case "image": {
      const size = pngSize(content.png);
      if (size === undefined) {
        throw new AppError("ACTION_FAILED", "What the clipboard calls a picture is no PNG", {
          suggestion: "Copy the picture again in its application.",
          delivery: "not_delivered",
        });
      }
      const path = out ?? `${folder(context)}/clipboard-${Deno.pid}-${crypto.randomUUID()}.png`;
      writeUserFile(path, content.png);
      return { type: "image", path, ...size };
    }
  }
}

/** @throws AppError `INVALID_ARGS` for a file that is no PNG or not there; what writing raises */
async function set(
  args: Args<typeof setSchema>,
  context: Context,
  deadline: Deadline,
): Promise<unknown> {
  const content = contentOf(args);
  using _lease = await acquireLease(deadline);
  const { verified } = await (await clipboard(context)).write(content, deadline);
  return {
    ok: true,
    type: content.type,
    disposition: disposition(verified ? "delivered_verified" : "delivered_unverified"),
  };
}

function contentOf({ text, image, file_url }: Args<typeof setSchema>): ClipboardContent {
  if (file_url.length > 0) {
    return { type: "file_urls", paths: file_url.map((path) => existing(path)) };
  }
  if (image !== undefined) return { type: "image", png: readPng(image) };
  return { type: "text", text: text ?? "" };
}

function existing(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    throw new AppError("INVALID_ARGS", "A file of --file-url is not there", {
      suggestion: "Pass the path of an existing file.",
    });
  }
}

function readPng(path: string): Uint8Array<ArrayBuffer> {
  let png: Uint8Array<ArrayBuffer>;
  try {
    const { size, isFile } = Deno.statSync(path);
    if (!isFile || size > MAX_CLIPBOARD_IMAGE) throw new Error("not a file of that size");
    png = Deno.readFileSync(path);
  } catch {
    throw new AppError("INVALID_ARGS", "The file of --image cannot be read", {
      suggestion: `Pass the path of a PNG of at most ${MAX_CLIPBOARD_IMAGE} bytes.`,
    });
  }
  if (pngSize(png) !== undefined) return png;
  throw new AppError("INVALID_ARGS", "The file of --image is no PNG", {
    suggestion: "Convert the picture to PNG first.",
  });
}

async function clear(_args: unknown, context: Context, deadline: Deadline): Promise<unknown> {
  using _lease = await acquireLease(deadline);
  const { verified } = await (await clipboard(context)).clear(deadline);
  return {
    cleared: true,
    disposition: disposition(verified ? "delivered_verified" : "delivered_unverified"),
  };
}
