/** Secrets that tests plant, and how they look for them in whatever a command writes. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Workspace } from '../cli/harness.ts';

/** A secret of its own for each place, in which letters and digits are mixed and which is the same in each run. */
function madeFor(place: string): string {
  const letters = 'aKbM7cN2dP9eQ4fR6gS3hT8iU5jVx';
  let state = 7;
  for (const character of place) state = (state * 31 + character.charCodeAt(0)) % 1_000_003;
  return Array.from({ length: 18 }, () => letters[(state = (state * 131 + 17) % 1_000_003) % letters.length]).join('');
}

/** Of the test file. */
const all: string[] = [];

/** The secret of a place, which is looked for from now on. */
export function secret(place: string): string {
  const made = madeFor(place);
  if (!all.includes(made)) all.push(made);
  return made;
}

/** All of them. */
export function planted(): readonly string[] {
  return all;
}

/** A text, and what a reader would find in it by undoing the usual encodings. */
function readings(text: string): string[] {
  const opened = text.replace(/%([0-9a-fA-F]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const bytes = (text.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1')),
  );
  const hex = (text.match(/(?:[0-9a-fA-F]{2}){12,}/g) ?? []).flatMap((run) =>
    [run, run.slice(1)].map((one) => Buffer.from(one, 'hex').toString('latin1')),
  );
  return [text, opened, bytes.join('\n'), hex.join('\n')].map((one) => one.toLowerCase());
}

/** Which of the secrets a reader of the text would find. */
export function leaked(text: string, secrets: readonly string[] = all): string[] {
  const shown = readings(text);
  return secrets.filter((one) => shown.some((reading) => reading.includes(one.toLowerCase())));
}

/** Paths of all files in a folder and the folders in it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

/** Runs a command whose files and temporary files all go to a folder of their own; nothing of the secrets may be there or be printed. */
export async function holdsTight(
  workspace: Workspace,
  name: string,
  args: readonly string[],
  how: { env?: Record<string, string>; codes: readonly number[]; files: number },
): Promise<void> {
  const folder = workspace.path(name);
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const running = workspace.start(
    args.map((word) => word.replaceAll('OUT', folder)),
    { env: { TMPDIR: temporary, ...how.env } },
  );
  const { code, stdout, stderr } = await running.ended;
  expect(how.codes, `${name}: ${stdout}${stderr}`).toContain(code);
  expect(leaked(stdout + stderr), `${name}: printed`).toEqual([]);
  const files = filesBelow(folder);
  expect(files.length, files.join(', ')).toBeGreaterThanOrEqual(how.files);
  for (const file of files) {
    expect(leaked(readFileSync(file, 'utf8')), file).toEqual([]);
    expect(leaked(file), file).toEqual([]);
  }
}
