/** `rewrite_script.ts FILE COUNT`: writes versions 1 to COUNT, each of another length. */
import { writePrivateFile } from "../../../src/store/private_file.ts";

const [file, count] = Deno.args;
for (let n = 1; n <= Number(count); n++) {
  const text = String(n % 10).repeat(50_000 + n);
  writePrivateFile(file!, new TextEncoder().encode(text), { durable: false });
}
