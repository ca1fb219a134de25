/**
 * Texts in which other elements stand: U+FFFC marks each of them, and what it says belongs there
 * (docs/linux.md, "Values and text").
 */
import { hasTrait } from "../../tree/roles.ts";
import { method, type ObjectRef, objectRef, property } from "./accessible.ts";
import { ROLE } from "./atspi.ts";
import { stringOf } from "./basics.ts";
import type { Join } from "./join.ts";
import { roleOf } from "./roles.ts";

const MARK = "\ufffc";
// Elements of one text that are asked, and how deep they lie in one another.
const MAX_ELEMENTS = 64;
const MAX_DEPTH = 4;
// Characters read of one of them.
const MAX_TEXT = 65_536;
// What begins on a line of its own.
const BLOCKS: ReadonlySet<number> = new Set([
  ROLE.paragraph,
  ROLE.section,
  ROLE.heading,
  ROLE.list,
  ROLE.listItem,
  ROLE.blockQuote,
  ROLE.table,
  ROLE.tableRow,
]);
// Web fields that hold a text and nothing else.
const PLAIN_FIELDS: ReadonlySet<string> = new Set(["textarea", "input"]);

/** What stands in a text in place of one mark. */
export interface Embedded {
  text: string;
  /** Whether it begins on a line of its own. */
  block: boolean;
}

/** Whether other elements stand in a text. */
export function hasEmbedded(text: string): boolean {
  return text.includes(MARK);
}

/** The text with each mark replaced by what stands there; marks beyond those known are dropped. */
export function fillIn(text: string, elements: readonly (Embedded | undefined)[]): string {
  let out = "";
  let started = false;
  let broken = false;
  const append = (part: string, block: boolean) => {
    if (!block && part === "") return;
    if (started && (block || broken)) out += "\n";
    out += part;
    started = true;
    broken = block;
  };
  text.split(MARK).forEach((part, i) => {
    const element = i === 0 ? undefined : elements[i - 1];
    if (element !== undefined) append(element.text, element.block);
    append(part, false);
  });
  return out;
}

/**
 * Asks for what stands at the marks of an element's text; `then` gets the text without marks, and
 * whether some of what stands there could not be found out.
 */
export function askEmbedded(
  join: Join,
  object: ObjectRef,
  text: string,
  then: (text: string, lost: boolean) => void,
): void {
  const filler = new TextFiller(join);
  filler.fill(object, text, 0, (whole) => then(whole, filler.lost));
}

/** Fills one text; counts the elements asked for it. */
class TextFiller {
  /** Whether something that stands in the text is not in what it was filled with. */
  lost = false;
  #asked = 0;

  constructor(private readonly join: Join) {}

  fill(object: ObjectRef, text: string, depth: number, then: (text: string) => void): void {
    const marks = text.split(MARK).length - 1;
    if (marks === 0) return then(text);
    if (depth >= MAX_DEPTH) {
      this.lost = true;
      return then(fillIn(text, []));
    }
    this.join.ask(method(object, "Hypertext", "GetNLinks"), (reply) => {
      // Where links stand in a text without marks, no link belongs to a certain one.
      const known = reply.ok && reply.values[0] === marks
        ? Math.min(marks, MAX_ELEMENTS - this.#asked)
        : 0;
      this.#asked += known;
      if (known < marks) this.lost = true;
      const elements: Embedded[] = [];
      let left = known;
      if (left === 0) return then(fillIn(text, []));
      for (let i = 0; i < known; i++) {
        this.#element(object, i, depth, (element) => {
          elements[i] = element;
          if (--left === 0) then(fillIn(text, elements));
        });
      }
    });
  }

  #element(object: ObjectRef, index: number, depth: number, then: (found: Embedded) => void) {
    const lose = () => {
      this.lost = true;
      then({ text: "", block: false });
    };
    this.join.ask(method(object, "Hypertext", "GetLink", "i", index), (link) => {
      const place = link.ok ? objectRef(link.values[0]) : undefined;
      if (place === undefined) return lose();
      this.join.ask(method(place, "Hyperlink", "GetObject", "i", 0), (reply) => {
        const element = reply.ok ? objectRef(reply.values[0]) : undefined;
        if (element === undefined) return lose();
        this.#textOf(element, depth, then);
      });
    });
  }

  /** What an element says in a text: controls in it stand for themselves, and passwords never. */
  #textOf(element: ObjectRef, depth: number, then: (found: Embedded) => void): void {
    this.join.ask(method(element, "Accessible", "GetRole"), (reply) => {
      const number = reply.ok ? reply.values[0] : undefined;
      const isControl = typeof number !== "number" || number === ROLE.passwordText ||
        (number !== ROLE.link && hasTrait(roleOf(number, []), "interactive"));
      if (isControl) return then({ text: "", block: false });
      const block = BLOCKS.has(number as number);
      const done = (text: string) => then({ text: block ? withoutFiller(text) : text, block });
      const byName = () =>
        this.join.ask(property(element, "Accessible", "Name"), (name) => {
          if (!name.ok) this.lost = true;
          done(stringOf(name) ?? "");
        });
      // Firefox answers nothing when asked for more characters than there are.
      this.join.ask(property(element, "Text", "CharacterCount"), (answer) => {
        const count = answer.ok ? answer.values[0] : undefined;
        if (typeof count !== "number" || count <= 0) return byName();
        const end = Math.min(count, MAX_TEXT);
        if (end < count) this.lost = true;
        this.join.ask(method(element, "Text", "GetText", "ii", 0, end), (given) => {
          const text = stringOf(given);
          if (text === undefined) return byName();
          this.fill(element, text, depth + 1, done);
        });
      });
    });
  }
}

/** The text without the line break that keeps an empty last line of a page's text open. */
function withoutFiller(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

/**
 * The value of an element on a web page: what is edited as part of the page ends in a line break
 * that is not part of the text; fields of a form hold what they hold.
 *
 * @param tag Of its HTML element; absent when it is not known, and then nothing is taken away.
 */
export function webValue(text: string, tag: string | undefined): string {
  return tag === undefined || PLAIN_FIELDS.has(tag.toLowerCase()) ? text : withoutFiller(text);
}
