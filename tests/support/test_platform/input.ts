/** Keyboard and pointer of the tests' platform: a record of what was sent. */
import type { Input, Modifier, Point, PointerButton } from "../../../src/platform/platform.ts";

/** Remembers every event as a line of text, and what is held down. */
export class TestInput implements Input {
  readonly events: string[] = [];
  readonly held = new Set<string>();
  /** The event that fails, as `events` would show it. */
  failOn?: string;
  /** What the application does with text that was typed. */
  onText?: (text: string) => void;
  #at: Point = { x: 0, y: 0 };

  position(): Point {
    return { ...this.#at };
  }

  move(to: Point): void {
    this.#record(`move ${to.x},${to.y}`);
    this.#at = { ...to };
  }

  button(button: PointerButton, down: boolean): void {
    this.#hold(button, down);
  }

  wheel(dx: number, dy: number): void {
    this.#record(`wheel ${dx},${dy}`);
  }

  modifier(modifier: Modifier, down: boolean): void {
    this.#hold(modifier, down);
  }

  key(name: string): Promise<boolean> {
    this.#record(`key ${name}`);
    return Promise.resolve(true);
  }

  text(text: string): Promise<void> {
    this.#record(`text ${text}`);
    this.onText?.(text);
    return Promise.resolve();
  }

  releaseAll(): void {
    for (const held of this.held) this.events.push(`lift ${held}`);
    this.held.clear();
  }

  #hold(what: string, down: boolean): void {
    this.#record(`${down ? "press" : "release"} ${what}`);
    if (down) this.held.add(what);
    else this.held.delete(what);
  }

  #record(event: string): void {
    if (event === this.failOn) throw new Error("input device lost");
    this.events.push(event);
  }
}
