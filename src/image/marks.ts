/** Boxes with numbers, drawn over a picture so that a reader can connect it with a list of refs. */
import type { Pixels } from "./png.ts";

/** A rectangle in pixels of the picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A box with its number. */
export interface Mark {
  box: Box;
  number: number;
}

type Colour = readonly [red: number, green: number, blue: number];

// Colours that neighbours get in turn: each tells from white, from black, and from the next one.
const COLOURS: readonly Colour[] = [
  [214, 39, 40],
  [31, 119, 180],
  [44, 140, 44],
  [148, 80, 189],
  [200, 90, 0],
  [0, 120, 130],
];
const WHITE: Colour = [255, 255, 255];

// Digits of five columns and seven rows, a row a number: its low five bits from left to right.
const DIGITS: readonly (readonly number[])[] = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 2, 4, 8, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
];
const GLYPH_WIDTH = 5;
const GLYPH_HEIGHT = 7;
const GAP = 1;
const PADDING = 2;

/** Draws marks into the pixels; what lies outside the picture is left out. */
export function drawMarks(pixels: Pixels, marks: readonly Mark[]): void {
  const taken: Box[] = [];
  // Large boxes first, so that the small ones inside them stay whole.
  const area = ({ box }: Mark) => box.width * box.height;
  const ordered = marks.toSorted((a, b) => area(b) - area(a));
  for (const mark of ordered) outline(pixels, mark.box, colourOf(mark));
  for (const mark of ordered) {
    const label = freePlace(pixels, mark, taken);
    taken.push(label);
    drawNumber(pixels, label, mark);
  }
}

function colourOf({ number }: Mark): Colour {
  return COLOURS[number % COLOURS.length]!;
}

function set(pixels: Pixels, x: number, y: number, colour: Colour): void {
  if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return;
  pixels.rgba.set([...colour, 0xff], (y * pixels.width + x) * 4);
}

function outline(pixels: Pixels, box: Box, colour: Colour): void {
  const right = box.x + box.width - 1;
  const bottom = box.y + box.height - 1;
  for (let x = Math.max(0, box.x); x <= Math.min(right, pixels.width - 1); x++) {
    set(pixels, x, box.y, colour);
    set(pixels, x, bottom, colour);
  }
  for (let y = Math.max(0, box.y); y <= Math.min(bottom, pixels.height - 1); y++) {
    set(pixels, box.x, y, colour);
    set(pixels, right, y, colour);
  }
}

/** The label's place: a corner of the box where no other label is, else the first corner. */
function freePlace(pixels: Pixels, { box, number }: Mark, taken: readonly Box[]): Box {
  const digits = String(number).length;
  const width = digits * (GLYPH_WIDTH + GAP) - GAP + 2 * PADDING;
  const height = GLYPH_HEIGHT + 2 * PADDING;
  const left = box.x;
  const right = box.x + box.width - width;
  const top = box.y;
  const bottom = box.y + box.height - height;
  const places = [[left, top], [right, top], [left, bottom], [right, bottom]]
    .map(([x, y]) => ({
      x: Math.max(0, Math.min(x!, pixels.width - width)),
      y: Math.max(0, Math.min(y!, pixels.height - height)),
      width,
      height,
    }));
  return places.find((place) => !taken.some((other) => overlap(place, other))) ?? places[0]!;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
    b.y < a.y + a.height;
}

function drawNumber(pixels: Pixels, label: Box, mark: Mark): void {
  for (let y = 0; y < label.height; y++) {
    for (let x = 0; x < label.width; x++) {
      set(pixels, label.x + x, label.y + y, colourOf(mark));
    }
  }
  [...String(mark.number)].forEach((digit, index) => {
    const left = label.x + PADDING + index * (GLYPH_WIDTH + GAP);
    DIGITS[Number(digit)]!.forEach((row, y) => {
      for (let x = 0; x < GLYPH_WIDTH; x++) {
        const on = row & (1 << (GLYPH_WIDTH - 1 - x));
        if (on) set(pixels, left + x, label.y + PADDING + y, WHITE);
      }
    });
  });
}
