/** The text of a capture file as its readers see it; src/files/traces/source-text.ts opens one. */

/** A line of a capture file. */
export interface SourceLine {
  /** From 1; blank lines count. */
  number: number;
  text: string;
  /** False for the text after the last line break. */
  ended: boolean;
}

export interface SourceText {
  /** Lines in order, without their line breaks and without what is blank at their ends; blank ones are left out. */
  lines(): AsyncGenerator<SourceLine>;
  /** The same lines, as many at a time as one read of the file brings. */
  batches(): AsyncGenerator<SourceLine[]>;
  /** The whole text. */
  all(): Promise<string>;
  /** After the first piece was read: UTF-8, UTF-16LE or UTF-16BE. */
  encoding(): string;
  /** The text began with a byte order mark. */
  marked(): boolean;
}
