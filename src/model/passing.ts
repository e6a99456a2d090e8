/**
 * Collections whose entries come and go by the million, such as the requests that wait for their answer. V8 makes a new
 * table each time a Map or Set becomes empty, and the old table keeps the new one, with all that it holds, until the
 * whole heap is collected: everything that ever waited grows old. One that becomes empty is begun anew here.
 */

/** A Map for entries that come and go; in the order in which they came. */
export class PassingMap<K, V> implements Iterable<[K, V]> {
  #entries = new Map<K, V>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  /** @returns whether it was there */
  delete(key: K): boolean {
    if (this.#entries.size !== 1) return this.#entries.delete(key);
    if (!this.#entries.has(key)) return false;
    this.clear();
    return true;
  }

  clear(): void {
    this.#entries = new Map();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#entries.entries();
  }
}

/** A Set for members that come and go; in the order in which they came. */
export class PassingSet<T> implements Iterable<T> {
  #members = new Set<T>();

  get size(): number {
    return this.#members.size;
  }

  add(member: T): void {
    this.#members.add(member);
  }

  /** @returns whether it was there */
  delete(member: T): boolean {
    if (this.#members.size !== 1) return this.#members.delete(member);
    if (!this.#members.has(member)) return false;
    this.#members = new Set();
    return true;
  }

  [Symbol.iterator](): SetIterator<T> {
    return this.#members.values();
  }
}
