import { assertEquals } from "@std/assert";
import { encodePng, pngSize } from "../../../src/image/png.ts";

/** An independent reading: Python's zlib and struct, as on every machine the tests run on. */
async function decode(png: Uint8Array): Promise<unknown> {
  const script = `
import sys, zlib, struct, json
data = sys.stdin.buffer.read()
assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
at, idat, head = 8, b"", None
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
    if kind == b"IHDR": head = struct.unpack(">IIBBBBB", body)
    if kind == b"IDAT": idat += body
    at += 12 + size
width, height, depth, colour = head[:4]
channels = {2: 3, 6: 4}[colour]
raw, rows, above = zlib.decompress(idat), [], [0] * (width * channels)
for y in range(height):
    line = raw[y * (width * channels + 1):(y + 1) * (width * channels + 1)]
    assert line[0] == 2
    above = [(b + a) & 255 for b, a in zip(line[1:], above)]
    rows.append(above)
print(json.dumps({"width": width, "height": height, "depth": depth, "channels": channels, "rows": rows}))
`;
  const child = new Deno.Command("python3", {
    args: ["-c", script],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(png);
  await writer.close();
  return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
}

Deno.test("an opaque picture is written as RGB, and another decoder reads the same pixels", async () => {
  const rgba = new Uint8Array([
    ...[255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255],
    ...[1, 2, 3, 255, 254, 253, 252, 255, 9, 9, 9, 255],
  ]);
  const png = await encodePng({ width: 3, height: 2, rgba });
  assertEquals(await decode(png), {
    width: 3,
    height: 2,
    depth: 8,
    channels: 3,
    rows: [[255, 0, 0, 0, 255, 0, 0, 0, 255], [1, 2, 3, 254, 253, 252, 9, 9, 9]],
  });
  assertEquals(pngSize(png), { width: 3, height: 2 });
});

Deno.test("a picture with a transparent pixel keeps its alpha channel", async () => {
  const rgba = new Uint8Array([10, 20, 30, 0, 40, 50, 60, 255]);
  const png = await encodePng({ width: 1, height: 2, rgba });
  assertEquals(await decode(png), {
    width: 1,
    height: 2,
    depth: 8,
    channels: 4,
    rows: [[10, 20, 30, 0], [40, 50, 60, 255]],
  });
});

Deno.test("what is no PNG has no size", () => {
  assertEquals(pngSize(new Uint8Array(40)), undefined);
  assertEquals(pngSize(new TextEncoder().encode("\x89PNG")), undefined);
});
