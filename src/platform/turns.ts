/** Children waiting to be read. Parents take turns, so that one endless list holds up no other. */

// Children taken from one parent before the next parent has its turn.
const TURN = 16;

interface Group<Parent, Child> {
  parent: Parent;
  children: readonly Child[];
  /** Index of the first child that waits. */
  next: number;
}

/** A queue of parents, each with its children in order. */
export class Turns<Parent, Child> {
  #groups: Group<Parent, Child>[] = [];

  /** Whether a child waits. */
  get waiting(): boolean {
    return this.#groups.length > 0;
  }

  /** Puts a parent's children at the end of the queue. */
  add(parent: Parent, children: readonly Child[]): void {
    if (children.length > 0) this.#groups.push({ parent, children, next: 0 });
  }

  /**
   * Gives the first parent its turn: `start` is called for some of its children. What is left of
   * them waits behind everything that was added meanwhile.
   *
   * @param stop Asked before each child; `true` ends the turn early
   */
  turn(start: (parent: Parent, child: Child) => void, stop: () => boolean = () => false): void {
    const group = this.#groups.shift();
    if (group === undefined) return;
    const { parent, children } = group;
    const end = Math.min(group.next + TURN, children.length);
    while (group.next < end && !stop()) start(parent, children[group.next++]!);
    if (group.next < children.length) this.#groups.push(group);
  }

  /** Parents with children that still wait, a parent that was added twice also twice. */
  left(): Parent[] {
    return this.#groups.map(({ parent }) => parent);
  }
}
