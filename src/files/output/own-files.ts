/**
 * Which files mcpc wrote: those are replaced by the next run, others only where the user says so. A file is recognised
 * by its content, never by its name.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../core/model/errors.ts';

/** Files of one kind replace each other: an HTML report a Markdown one, but never a trace. */
export type OwnFile = 'report' | 'trace' | 'baseline' | 'episode' | 'snapshots';

/** In reports whose format has comments; a user's template may contain it too. */
export const reportMark = 'written by mcpc';

/** Length of the searched beginning and end of a file. */
const lookedAt = 8 * 1024;

interface Ends {
  head: string;
  tail: string;
}

const version = String.raw`\d+\.\d+\.\d+[\w.+-]*`;

/** By what each format that mcpc writes is known. */
const marks: Record<OwnFile, ((ends: Ends) => boolean)[]> = {
  report: [
    ({ head }) =>
      /^\{\s*"format":\s*"mcpc-(?:run|fleet|suite|matrix|audit|fuzz|coverage|snapshot|drift|replay)-report"/.test(head),
    ({ head }) => head.includes('<meta name="generator" content="mcpc '),
    // Markdown, JUnit, the SVG badge.
    ({ head, tail }) => head.includes(`<!-- ${reportMark}`) || tail.includes(`<!-- ${reportMark}`),
    ({ head, tail }) =>
      head.includes('/sarif-schema-2.') && [head, tail].some((text) => /"driver":\s*\{\s*"name":\s*"mcpc"/.test(text)),
    ({ head }) => /^\{\s*"schemaVersion":\s*1,\s*"label":\s*"MCP[ ,"]/.test(head),
    // Annotations for GitHub end with the outcome.
    ({ tail }) => /^::notice title=mcpc [^\n]*\n?$/m.test(tail),
    ({ tail }) => /^::notice title=mcpc suites::[^\n]*\n?$/m.test(tail),
    ({ head }) => head.includes('"generatedBy": "mcpc"'),
    // TAP and the terminal, of suites.
    ({ head }) => /^TAP version 14\n1\.\.\d+\n/.test(head),
    ({ head }) => /^ {2}(?:PASS|FAIL|SKIP|OPEN) .*\d+ms\n/.test(head),
    ({ head }) => head.startsWith('name,id,status,reason,compliant,score,grade,'),
    // Text as on a terminal: of a server, of a fleet, of a fleet on one line.
    ({ head }) => new RegExp(String.raw`^[^\n]*  mcpc ${version}\n`).test(head),
    ({ head }) => /^(?:\d+ OF \d+ SERVERS? COMPLIANT|MCP fleet \d{4}-\d\d-\d\d: )/.test(head),
  ],
  trace: [({ head }) => /^\{\s*"format":\s*"mcpc-trace"/.test(head)],
  baseline: [({ head }) => /^\{\s*"format":\s*"mcpc-baseline"/.test(head)],
  snapshots: [({ head }) => /^(?:#[^\n]*\n+)?format: mcpc-snapshots$/m.test(head)],
  episode: [({ head }) => /^\{"type":\s*"episode_start"/.test(head)],
};

/** Files of this process, also those without a mark. */
const written = new Set<string>();

/** Registers a file of this process at a path. */
export function noteWritten(path: string): void {
  written.add(resolve(path));
}

/** True if a file may be replaced silently: it is empty, not a regular file, or of mcpc and of that kind. */
export function isReplaceable(path: string, kind: OwnFile): boolean {
  if (written.has(resolve(path)) || !existsSync(path) || !statSync(path).isFile()) return true;
  const ends = readEnds(path);
  return ends === undefined || ends.head === '' || marks[kind].some((known) => known(ends));
}

function readEnds(path: string): Ends | undefined {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch {
    // An unreadable file is reported when it is written.
    return undefined;
  }
  try {
    const { size } = fstatSync(handle);
    const part = (from: number): string => {
      const buffer = Buffer.alloc(Math.min(size, lookedAt));
      return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, from)).toString('utf8');
    };
    return { head: part(0), tail: part(Math.max(0, size - lookedAt)) };
  } finally {
    closeSync(handle);
  }
}

/** Remedy for a file that is not replaced. */
export const overwriteRemedy = 'Name another file, or replace this one with --overwrite.';

/** @throws McpcError usage for a file that is there and that mcpc did not write, unless it may be overwritten */
export function refuseForeign(path: string, kind: OwnFile, overwrite: boolean): void {
  if (!overwrite && !isReplaceable(path, kind))
    throw usageError(`${path} is there already, and is no ${kind} that mcpc wrote.`, overwriteRemedy);
}
