/**
 * Sets and maps with a most number of entries, since whatever a target or a capture says is followed in bounded memory.
 * A full one takes no new key in (the default), or forgets its oldest entry. A known key is always replaced.
 */

export class BoundedSet<T> extends Set<T> {
  private readonly most: number;

  /** @param most entries that are kept; later ones are left out */
  constructor(most: number, values: Iterable<T> = []) {
    super();
    this.most = most;
    for (const value of values) this.add(value);
  }

  get isFull(): boolean {
    return this.size >= this.most;
  }

  override add(value: T): this {
    return this.size < this.most ? super.add(value) : this;
  }
}

export class BoundedMap<K, V> extends Map<K, V> {
  private readonly most: number;
  private readonly whenFull: 'refuse' | 'forget-oldest';

  /** @param most entries that are kept */
  constructor(most: number, whenFull: 'refuse' | 'forget-oldest' = 'refuse') {
    super();
    this.most = most;
    this.whenFull = whenFull;
  }

  get isFull(): boolean {
    return this.size >= this.most;
  }

  override set(key: K, value: V): this {
    if (this.size >= this.most && !this.has(key)) {
      if (this.whenFull === 'refuse') return this;
      this.delete(this.keys().next().value as K);
    }
    return super.set(key, value);
  }
}
