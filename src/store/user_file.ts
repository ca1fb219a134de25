/** Files that the user names: written whole or not at all, and never through a link. */
import { AppError } from "../errors.ts";
import { writeAll } from "../write_all.ts";

/**
 * Writes a file where the user wants it, by way of a temporary file beside it.
 *
 * @throws AppError `INVALID_ARGS` when something other than a file is there, or the folder is not;
 * `INTERNAL` when it cannot be written
 */
export function writeUserFile(path: string, bytes: Uint8Array): void {
  refuseOther(path);
  const temp = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  let created = false;
  try {
    using file = Deno.openSync(temp, { write: true, createNew: true, mode: 0o600 });
    created = true;
    writeAll((part) => file.writeSync(part), bytes);
    const { size } = file.statSync();
    if (size !== bytes.length) throw new Error(`only ${size} of ${bytes.length} bytes fit`);
    Deno.renameSync(temp, path);
  } catch (cause) {
    if (created) removeQuietly(temp);
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) {
      throw refused("The folder for the file does not exist");
    }
    throw new AppError("INTERNAL", "The file cannot be written", {
      suggestion: "Name a path in a folder of your own with room for it.",
      delivery: "not_delivered",
      details: { kind: "file_io" },
      cause,
    });
  }
}

function refuseOther(path: string): void {
  if (path === "" || path.includes("\0")) throw refused("The path of the file is empty or broken");
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return; // nothing is there
  }
  if (info.isSymlink) throw refused("The path of the file is a symbolic link");
  if (!info.isFile) throw refused("The path of the file is a folder or a device");
}

function refused(message: string): AppError {
  return new AppError("INVALID_ARGS", message, {
    suggestion: "Name another path for the file.",
  });
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The first error is the one to tell.
  }
}
