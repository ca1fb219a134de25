/** `write_script.ts FILE SIZE…`: writes so many bytes and tells, one JSON line each, what came of it. */
import { AppError } from "../../../src/errors.ts";
import { writePrivateFile } from "../../../src/store/private_file.ts";

const [file, ...sizes] = Deno.args;
const folder = file!.slice(0, file!.lastIndexOf("/"));
for (const size of sizes) {
  const answer: Record<string, unknown> = {};
  try {
    writePrivateFile(file!, new Uint8Array(Number(size)).fill(120));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    answer["code"] = error.code;
    answer["message"] = error.message;
  }
  answer["size"] = Deno.statSync(file!).size;
  answer["files"] = [...Deno.readDirSync(folder)].map(({ name }) => name);
  console.log(JSON.stringify(answer));
}
