import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import {
  ensureDirectory,
  readPrivateFile,
  sweepTemps,
  writePrivateFile,
} from "../../../src/store/private_file.ts";
import { Folder, script } from "./support.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function failure(run: () => unknown, path: string): AppError {
  const error = assertThrows(run, AppError);
  assertEquals(error.code, "INTERNAL");
  assertEquals(error.delivery, "not_delivered");
  assertStringIncludes(error.message, path);
  assert(error.suggestion !== undefined);
  return error;
}

Deno.test("files are 0600 and folders 0700, whatever the umask", () => {
  using folder = new Folder();
  const before = Deno.umask(0);
  try {
    ensureDirectory(`${folder.path}/a/b`);
    writePrivateFile(`${folder.path}/a/b/f`, bytes("x"));
  } finally {
    Deno.umask(before);
  }
  assertEquals(Deno.statSync(`${folder.path}/a`).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(`${folder.path}/a/b`).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(`${folder.path}/a/b/f`).mode! & 0o777, 0o600);
  assertEquals(readPrivateFile(`${folder.path}/a/b/f`, 10), "x");
  assertEquals(readPrivateFile(`${folder.path}/a/b/none`, 10), undefined);
});

Deno.test("what is not a private file is refused and left alone", () => {
  using folder = new Folder();
  const outside = `${folder.path}/outside`;
  Deno.writeTextFileSync(outside, "precious", { mode: 0o600 });
  const at = `${folder.path}/file`;
  const makes: Record<string, () => void> = {
    "a symlink": () => Deno.symlinkSync(outside, at),
    "a dangling symlink": () => Deno.symlinkSync(`${folder.path}/nowhere`, at),
    "a hard link": () => Deno.linkSync(outside, at),
    "a folder": () => Deno.mkdirSync(at),
    "a pipe": () => new Deno.Command("mkfifo", { args: [at] }).outputSync(),
  };
  for (const make of Object.values(makes)) {
    make();
    failure(() => readPrivateFile(at, 100), at);
    failure(() => writePrivateFile(at, bytes("mine")), at);
    Deno.removeSync(at);
  }
  assertEquals(Deno.readTextFileSync(outside), "precious");
  assertEquals(folder.files(), ["outside"]);
});

Deno.test("a file or folder of another user is refused", () => {
  // Only root can give files away; everybody else cannot be tricked that way either.
  if (Deno.uid() !== 0) return;
  using folder = new Folder();
  const at = `${folder.path}/file`;
  Deno.writeTextFileSync(at, "theirs", { mode: 0o600 });
  Deno.chownSync(at, 65534, null);
  failure(() => readPrivateFile(at, 100), at);
  failure(() => writePrivateFile(at, bytes("mine")), at);
  Deno.mkdirSync(`${folder.path}/theirs`, { mode: 0o700 });
  Deno.chownSync(`${folder.path}/theirs`, 65534, null);
  failure(() => ensureDirectory(`${folder.path}/theirs`), "theirs");
  assertEquals(Deno.readTextFileSync(at), "theirs");
});

Deno.test("a folder others can write to is refused", () => {
  using folder = new Folder();
  Deno.mkdirSync(`${folder.path}/open`);
  for (const mode of [0o777, 0o770, 0o720, 0o702]) {
    Deno.chmodSync(`${folder.path}/open`, mode);
    failure(() => ensureDirectory(`${folder.path}/open`), "open");
  }
  Deno.chmodSync(`${folder.path}/open`, 0o755);
  ensureDirectory(`${folder.path}/open`);
});

Deno.test("a file over the bound is not read", () => {
  using folder = new Folder();
  writePrivateFile(`${folder.path}/f`, bytes("12345"));
  assertEquals(readPrivateFile(`${folder.path}/f`, 5), "12345");
  failure(() => readPrivateFile(`${folder.path}/f`, 4), `${folder.path}/f`);
});

/** What goes wrong, and how it is made to: each replaces one call of the system. */
const FAULTS: Record<string, () => () => void> = {
  "the temporary file cannot be created": () => {
    const open = Deno.openSync;
    Deno.openSync = () => {
      throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
    };
    return () => Deno.openSync = open;
  },
  "a write ends half-way without an error": () => {
    const write = Deno.FsFile.prototype.writeSync;
    let calls = 0;
    Deno.FsFile.prototype.writeSync = function (part) {
      return calls++ === 0 ? write.call(this, part.subarray(0, part.length >> 1)) : 0;
    };
    return () => Deno.FsFile.prototype.writeSync = write;
  },
  "a write claims to be complete and is not": () => {
    const write = Deno.FsFile.prototype.writeSync;
    Deno.FsFile.prototype.writeSync = function (part) {
      write.call(this, part.subarray(0, part.length >> 1));
      return part.length;
    };
    return () => Deno.FsFile.prototype.writeSync = write;
  },
  "the disk is full": () => {
    const write = Deno.FsFile.prototype.writeSync;
    Deno.FsFile.prototype.writeSync = () => {
      throw new Error("No space left on device (os error 28)");
    };
    return () => Deno.FsFile.prototype.writeSync = write;
  },
  "the disk does not confirm": () => {
    const sync = Deno.FsFile.prototype.syncSync;
    Deno.FsFile.prototype.syncSync = () => {
      throw new Error("Input/output error (os error 5)");
    };
    return () => Deno.FsFile.prototype.syncSync = sync;
  },
  "the new file cannot be renamed": () => {
    const rename = Deno.renameSync;
    Deno.renameSync = () => {
      throw new Error("Read-only file system (os error 30): rename 'a' -> 'b'");
    };
    return () => Deno.renameSync = rename;
  },
};
for (const [what, inject] of Object.entries(FAULTS)) {
  Deno.test(`write when ${what}: the old file stays, nothing else does, the next write works`, () => {
    using folder = new Folder();
    const at = `${folder.path}/f`;
    writePrivateFile(at, bytes("old"));
    const restore = inject();
    let error: AppError;
    try {
      error = failure(() => writePrivateFile(at, bytes("new and longer")), at);
    } finally {
      restore();
    }
    assert(!error.message.includes("rename '"), error.message);
    assertEquals(Deno.readTextFileSync(at), "old");
    assertEquals(folder.files(), ["f"]);
    writePrivateFile(at, bytes("newer"));
    assertEquals(Deno.readTextFileSync(at), "newer");
  });
}

Deno.test("a limit on the size of files cuts the write, not the file that was there", async () => {
  using folder = new Folder();
  const at = `${folder.path}/f`;
  writePrivateFile(at, bytes("old"));
  // bash counts in KiB; the signal is ignored so that the write fails instead.
  const child = script("write_script.ts", [at, "100000"], "trap '' XFSZ; ulimit -f 64;");
  const { stdout } = await child.output();
  const answer = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(answer.code, "INTERNAL");
  assertStringIncludes(answer.message, at);
  assertEquals(Deno.readTextFileSync(at), "old");
  assertEquals(folder.files(), ["f"]);
});

Deno.test("a full file system keeps the old file, and works again when there is room", async () => {
  using folder = new Folder();
  const mount = `${folder.path}/small`;
  Deno.mkdirSync(mount);
  const child = script(
    "write_script.ts",
    [`${mount}/f`, "10", "200000", "20"],
    `unshare -m true 2>/dev/null && exec unshare -m bash -c '
      mount -t tmpfs -o size=64k,mode=700 none "$0" && shift 0 && exec "$@"' '${mount}' "$@";
     echo unavailable; exit 0;`,
  );
  const { stdout, stderr } = await child.output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  if (lines[0] === "unavailable") {
    console.log("not run: this machine does not let a process mount a file system of its own");
    return;
  }
  const answers = lines.map((line) => JSON.parse(line));
  assertEquals(answers.length, 3, new TextDecoder().decode(stderr));
  assertEquals(answers[0], { size: 10, files: ["f"] });
  assertEquals(answers[1].code, "INTERNAL");
  assertStringIncludes(answers[1].message, `${mount}/f`);
  assertStringIncludes(answers[1].message, "No space left");
  assertEquals(answers[1].size, 10);
  assertEquals(answers[1].files, ["f"]);
  assertEquals(answers[2], { size: 20, files: ["f"] });
});

Deno.test("a writer killed at any step leaves the old file or the new one", async () => {
  for (let step = 0; step < 7; step++) {
    using folder = new Folder();
    const at = `${folder.path}/f`;
    writePrivateFile(at, bytes("old"));
    const child = await script("kill_script.ts", [at, String(step)]).output();
    assertEquals(
      child.signal,
      "SIGKILL",
      `step ${step}: ${new TextDecoder().decode(child.stderr)}`,
    );
    assert(["old", "new"].includes(readPrivateFile(at, 10)!), `step ${step}`);
    sweepTemps(folder.path);
    folder.ageTemps();
    sweepTemps(folder.path);
    assertEquals(folder.files(), ["f"]);
    writePrivateFile(at, bytes("next"));
    assertEquals(readPrivateFile(at, 10), "next");
  }
});

Deno.test("only old files with the name of a temporary file are swept", () => {
  using folder = new Folder();
  const temp = ".refmap.json.0123456789abcdef.tmp";
  const keep = [
    "refmap.json",
    ".refmap.json.tmp",
    ".x.0123456789abcdeg.tmp",
    "x.0123456789abcdef.tmp",
  ];
  for (const name of [temp, ...keep]) {
    Deno.writeTextFileSync(`${folder.path}/${name}`, "");
  }
  sweepTemps(folder.path);
  assert(folder.files().includes(temp));
  const old = new Date(Date.now() - 61_000);
  for (const name of [temp, ...keep]) Deno.utimeSync(`${folder.path}/${name}`, old, old);
  sweepTemps(folder.path);
  assertEquals(folder.files(), keep.sort());
  sweepTemps(`${folder.path}/none`);
});

Deno.test("a reader beside a writer sees whole versions only", async () => {
  using folder = new Folder();
  const at = `${folder.path}/f`;
  const version = (n: number) => String(n % 10).repeat(50_000 + n);
  writePrivateFile(at, bytes(version(0)));
  const writer = script("rewrite_script.ts", [at, "2000"]).spawn();
  const status = writer.output();
  const seen = new Set<number>();
  try {
    while (seen.size < 500) {
      const text = readPrivateFile(at, 100_000)!;
      assertEquals(text, version(text.length - 50_000));
      seen.add(text.length);
      if (text.length === 52_000) break;
      await new Promise((wake) => setTimeout(wake, 0));
    }
  } finally {
    await status;
  }
  assert(seen.size > 1, "the reader never met the writer");
});
