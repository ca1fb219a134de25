/** `hold_script.ts FILE`: takes the lock, says so, and keeps it until it is killed. */
import { openLockFile } from "../../../src/store/lock.ts";

const file = openLockFile(Deno.args[0]!);
while (!file.tryLock()) await new Promise((wake) => setTimeout(wake, 5));
console.log("held");
await new Promise((wake) => setTimeout(wake, 60_000));
