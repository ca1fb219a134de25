/** `kill_script.ts FILE STEP`: writes "new" and kills itself at the given step of the write. */
import { writePrivateFile } from "../../../src/store/private_file.ts";

const [file, wanted] = Deno.args;
let step = 0;

/** Steps 0 to 5 lie before and after the system calls of a write; 6 is the end. */
function mark(): void {
  if (step++ === Number(wanted)) Deno.kill(Deno.pid, "SIGKILL");
}

const write = Deno.FsFile.prototype.writeSync;
Deno.FsFile.prototype.writeSync = function (part) {
  mark();
  const written = write.call(this, part.subarray(0, 2));
  return written;
};
const sync = Deno.FsFile.prototype.syncSync;
Deno.FsFile.prototype.syncSync = function () {
  mark();
  sync.call(this);
};
const rename = Deno.renameSync;
Deno.renameSync = (from, to) => {
  mark();
  rename(from, to);
  mark();
};
writePrivateFile(file!, new TextEncoder().encode("new"));
while (step <= 7) mark();
