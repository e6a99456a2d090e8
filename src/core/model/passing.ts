/**
 * Collections whose entries come and go by the million, such as the requests that wait for their answer. Mostly there
 * are few at a time, which stand in lists: no key has to be hashed, and nothing is made for them. Of many there is a
 * table; V8 makes a new one each time a Map or Set becomes empty, and the old table keeps the new one, with all that it
 * holds, until the whole heap is collected: everything that ever waited grows old. So one that becomes empty is left.
 */

/** As many are looked through sooner than one is found by its hash. */
const few = 8;

/** A Map for entries that come and go; in the order in which they came. What is gone through is what was there at first, or, of many, what is there at each moment. */
export class PassingMap<K, V> implements Iterable<[K, V]> {
  #keys: K[] = [];
  #values: V[] = [];
  #many: Map<K, V> | undefined;

  get size(): number {
    return this.#many === undefined ? this.#keys.length : this.#many.size;
  }

  get(key: K): V | undefined {
    if (this.#many !== undefined) return this.#many.get(key);
    const at = this.#keys.indexOf(key);
    return at === -1 ? undefined : this.#values[at];
  }

  has(key: K): boolean {
    return this.#many === undefined ? this.#keys.includes(key) : this.#many.has(key);
  }

  set(key: K, value: V): void {
    if (this.#many !== undefined) {
      this.#many.set(key, value);
      return;
    }
    const at = this.#keys.indexOf(key);
    if (at !== -1) this.#values[at] = value;
    else if (this.#keys.length < few) {
      this.#keys.push(key);
      this.#values.push(value);
    } else {
      this.#many = new Map([...this.#pairs(), [key, value]]);
      this.#keys = [];
      this.#values = [];
    }
  }

  /** @returns whether it was there */
  delete(key: K): boolean {
    if (this.#many !== undefined) {
      const was = this.#many.delete(key);
      if (this.#many.size === 0) this.#many = undefined;
      return was;
    }
    const at = this.#keys.indexOf(key);
    if (at === -1) return false;
    removeAt(this.#keys, at);
    removeAt(this.#values, at);
    return true;
  }

  clear(): void {
    this.#keys = [];
    this.#values = [];
    this.#many = undefined;
  }

  keys(): IterableIterator<K> {
    return this.#many === undefined ? this.#keys.slice().values() : this.#many.keys();
  }

  values(): IterableIterator<V> {
    return this.#many === undefined ? this.#values.slice().values() : this.#many.values();
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#many === undefined ? this.#pairs().values() : this.#many.entries();
  }

  #pairs(): [K, V][] {
    return this.#keys.map((key, at) => [key, this.#values[at]!]);
  }
}

/** A Set for members that come and go; in the order in which they came. What is gone through is as with PassingMap. */
export class PassingSet<T> implements Iterable<T> {
  #members = new PassingMap<T, true>();

  get size(): number {
    return this.#members.size;
  }

  add(member: T): void {
    this.#members.set(member, true);
  }

  /** @returns whether it was there */
  delete(member: T): boolean {
    return this.#members.delete(member);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#members.keys();
  }
}

/** Without the list that `splice` would make. */
function removeAt(list: unknown[], at: number): void {
  for (let next = at + 1; next < list.length; next += 1) list[next - 1] = list[next];
  list.pop();
}
