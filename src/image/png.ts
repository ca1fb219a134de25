/**
 * PNG files: written from pixels, with the platform's own deflate, and looked at for their size.
 */

/** A picture: four bytes a pixel (red, green, blue, alpha), rows from top to bottom. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array<ArrayBuffer>;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Where the header's data begins: signature, length, type. */
const HEADER_AT = 16;
const RGB = 2;
const RGBA = 6;
/** Filter of a row: the difference to the row above (PNG specification, "Filtering"). */
const UP = 2;

/** A PNG of the pixels. The alpha channel is left out where every pixel is opaque. */
export async function encodePng({ width, height, rgba }: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const channels = isOpaque(rgba) ? 3 : 4;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, channels === 3 ? RGB : RGBA, 0, 0, 0], 8);
  const packed = await deflate(filterRows(width, height, rgba, channels));
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", packed),
    chunk("IEND", new Uint8Array(0)),
  ];
  const png = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    png.set(part, at);
    at += part.length;
  }
  return png;
}

/** Width and height of a PNG from its header; `undefined` for anything else. */
export function pngSize(png: Uint8Array): { width: number; height: number } | undefined {
  const isPng = png.length >= HEADER_AT + 8 &&
    SIGNATURE.every((byte, index) => png[index] === byte);
  if (!isPng) return undefined;
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(HEADER_AT), view.getUint32(HEADER_AT + 4)];
  return width === 0 || height === 0 ? undefined : { width, height };
}

/**
 * The pixels of a PNG of eight bits a channel, RGB or RGBA, not interlaced: what screenshots are.
 * `undefined` for any other.
 */
export async function decodePng(png: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  const size = pngSize(png);
  const colour = png[HEADER_AT + 9];
  const plain = png[HEADER_AT + 8] === 8 && png[HEADER_AT + 12] === 0;
  if (size === undefined || !plain || (colour !== RGB && colour !== RGBA)) return undefined;
  const channels = colour === RGB ? 3 : 4;
  try {
    const rows = await inflate(imageData(png));
    if (rows.length < size.height * (1 + size.width * channels)) return undefined;
    return unfilterRows(size, rows, channels);
  } catch {
    return undefined; // cut off or damaged
  }
}

/** The parts of the image's data, put together. */
function imageData(png: Uint8Array<ArrayBuffer>): Blob {
  const parts: BlobPart[] = [];
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = SIGNATURE.length; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return new Blob(parts);
}

async function inflate(data: Blob): Promise<Uint8Array> {
  const stream = data.stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Undoes the five filters (PNG specification, "Filtering"). */
function unfilterRows(
  { width, height }: { width: number; height: number },
  rows: Uint8Array,
  channels: 3 | 4,
): Pixels {
  const stride = width * channels;
  const rgba = new Uint8Array(width * height * 4).fill(0xff);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const filter = rows[from]!;
    const row = rows.slice(from + 1, from + 1 + stride);
    for (let at = 0; at < stride; at++) {
      const left = at < channels ? 0 : row[at - channels]!;
      const corner = at < channels ? 0 : above[at - channels]!;
      row[at] = row[at]! + predicted(filter, left, above[at]!, corner);
    }
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        rgba[(y * width + x) * 4 + channel] = row[x * channels + channel]!;
      }
    }
    above = row;
  }
  return { width, height, rgba };
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case UP:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

/** Whichever of the three is nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(guess - one));
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left;
  return toAbove! <= toCorner! ? above : corner;
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) {
    if (rgba[at] !== 0xff) return false;
  }
  return true;
}

/** Each row as its difference to the one above, which pictures of windows pack best as. */
function filterRows(
  width: number,
  height: number,
  rgba: Uint8Array,
  channels: 3 | 4,
): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(height * (1 + width * channels));
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = UP;
    const row = y * width * 4;
    for (let x = 0; x < width; x++) {
      const at = row + x * 4;
      const above = at - width * 4;
      for (let channel = 0; channel < channels; channel++) {
        rows[to++] = rgba[at + channel]! - (y === 0 ? 0 : rgba[above + channel]!);
      }
    }
  }
  return rows;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // "deflate" is the zlib form, which is what PNG wants.
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

let table: Uint32Array | undefined;

/** The checksum of PNG chunks (PNG specification, "CRC algorithm"). */
function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
