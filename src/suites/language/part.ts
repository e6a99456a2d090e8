/** A part of a suite file: a value with its place, and readers that take scalars as they were written. */
import type { Path, Place, YamlDocument } from './yaml-source.ts';

export interface Part {
  readonly path: Path;
  /** The value there; undefined without one. */
  readonly value: unknown;
  readonly place: Place;
  /** A member or an item. */
  at(name: string | number): Part;
  /** True if there is a value other than null. */
  has(name: string | number): boolean;
  /** A scalar as text, in the spelling of the file (`1.50`); undefined for anything else. */
  text(): string | undefined;
  /** Items of a list. */
  items(): Part[];
  /** Members of a mapping. */
  members(): [name: string, part: Part][];
}

/** The part of a document at a path. */
export function partOf(document: YamlDocument, path: Path = []): Part {
  let part: Part = new DocumentPart(document, undefined, '', document.value);
  for (const name of path) part = part.at(name);
  return part;
}

class DocumentPart implements Part {
  readonly value: unknown;
  readonly #document: YamlDocument;
  readonly #parent: DocumentPart | undefined;
  readonly #name: string | number;

  /** @param name in the parent, where there is one */
  constructor(document: YamlDocument, parent: DocumentPart | undefined, name: string | number, value: unknown) {
    this.#document = document;
    this.#parent = parent;
    this.#name = name;
    this.value = value;
  }

  get path(): Path {
    return this.#parent === undefined ? [] : [...this.#parent.path, this.#name];
  }

  get place(): Place {
    return this.#document.placeOf(this.path);
  }

  at(name: string | number): Part {
    const { value } = this;
    return new DocumentPart(
      this.#document,
      this,
      name,
      isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    );
  }

  has(name: string | number): boolean {
    const { value } = this;
    return isContainer(value) && Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined;
  }

  text(): string | undefined {
    const { value } = this;
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
      ? (this.#document.sourceOf(this.path) ?? String(value))
      : undefined;
  }

  items(): Part[] {
    return Array.isArray(this.value) ? this.value.map((_item, index) => this.at(index)) : [];
  }

  members(): [string, Part][] {
    const { value } = this;
    return isContainer(value) && !Array.isArray(value) ? Object.keys(value).map((name) => [name, this.at(name)]) : [];
  }
}

function isContainer(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
