/** Keyboard and pointer of the test platform: a record of what was sent. */
import type { Input, Modifier, Point, PointerButton } from "../../../src/platform/platform.ts";

/** Remembers every event as a line of text, and what is held down. */
export class TestInput implements Input {
  readonly events: string[] = [];
  readonly held = new Set<string>();
  #at: Point = { x: 0, y: 0 };

  position(): Point {
    return { ...this.#at };
  }

  move(to: Point): void {
    this.#at = { ...to };
    this.events.push(`move ${to.x},${to.y}`);
  }

  button(button: PointerButton, down: boolean): void {
    this.#hold(`button ${button}`, down);
  }

  wheel(dx: number, dy: number): void {
    this.events.push(`wheel ${dx},${dy}`);
  }

  modifier(modifier: Modifier, down: boolean): void {
    this.#hold(`modifier ${modifier}`, down);
  }

  key(name: string): Promise<boolean> {
    this.events.push(`key ${name}`);
    return Promise.resolve(true);
  }

  text(text: string): Promise<void> {
    this.events.push(`text ${text}`);
    return Promise.resolve();
  }

  releaseAll(): void {
    for (const what of [...this.held]) this.#hold(what, false);
  }

  #hold(what: string, down: boolean): void {
    this.events.push(`${down ? "press" : "release"} ${what}`);
    if (down) this.held.add(what);
    else this.held.delete(what);
  }
}
