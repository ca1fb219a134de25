/** A map whose values are made when they are first asked for. */

/**
 * Behaves as a plain `Map` in every respect, but holds its first values only as keys: a command
 * that needs one ref of thousands does not pay for the others.
 */
export class LazyMap<Key, Value> extends Map<Key, Value> {
  readonly #make: (position: number) => Value;
  /** Positions of the values that have not been made. */
  readonly #pending = new Map<Key, number>();

  /**
   * @param keys Each once.
   * @param make Makes the value of the key at a position; called at most once for each.
   */
  constructor(keys: readonly Key[], make: (position: number) => Value) {
    super();
    this.#make = make;
    for (let position = 0; position < keys.length; position++) {
      this.#pending.set(keys[position]!, position);
      // Fixes the order of the keys. Every reader makes the value before it would see `undefined`.
      super.set(keys[position]!, undefined as Value);
    }
  }

  override get(key: Key): Value | undefined {
    const position = this.#pending.get(key);
    if (position !== undefined) {
      this.#pending.delete(key);
      super.set(key, this.#make(position));
    }
    return super.get(key);
  }

  override set(key: Key, value: Value): this {
    this.#pending.delete(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    this.#pending.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#pending.clear();
    super.clear();
  }

  override forEach(visit: (value: Value, key: Key, map: Map<Key, Value>) => void): void {
    this.#makeAll();
    super.forEach(visit);
  }

  override values(): MapIterator<Value> {
    this.#makeAll();
    return super.values();
  }

  override entries(): MapIterator<[Key, Value]> {
    this.#makeAll();
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  #makeAll(): void {
    for (const key of this.#pending.keys()) this.get(key);
  }
}
