/** A map whose values are made when they are first asked for. */

/**
 * Behaves as a plain `Map` in every respect, but holds its first values only as keys: a command
 * that needs one ref of thousands does not pay for the others.
 */
export class LazyMap<Key, Value> extends Map<Key, Value> {
  readonly #make: (key: Key) => Value;
  readonly #pending: Set<Key>;

  /** @param make Called at most once for each of `keys`. */
  constructor(keys: Iterable<Key>, make: (key: Key) => Value) {
    super();
    this.#make = make;
    this.#pending = new Set(keys);
    // The order of the keys is fixed now; nothing reads the values that stand in for real ones.
    for (const key of this.#pending) super.set(key, undefined as Value);
  }

  override get(key: Key): Value | undefined {
    if (this.#pending.delete(key)) super.set(key, this.#make(key));
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
    for (const key of this.#pending) this.get(key);
  }
}
