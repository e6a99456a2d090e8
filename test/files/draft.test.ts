/** Files that are there as a whole or not at all. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openDraft, writeWhole } from '../../src/files/output/draft.ts';
import { checkOutput, writeOutput, writeTogether, type OutputFile } from '../../src/files/output/output.ts';
import { smallDisk, type SmallDisk } from '../support/small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string, text?: string): string => {
  const path = join(mkdtempSync(join(folder, 'case-')), name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};
const beside = (path: string): string[] => readdirSync(join(path, '..'));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a whole file', () => {
  test('comes in pieces and replaces what was there', () => {
    const path = place('a', 'old and much longer');
    writeWhole(path, ['new', '', ' text']);
    expect(readFileSync(path, 'utf8')).toBe('new text');
    expect(beside(path)).toEqual(['a']);
  });

  test('is not there when its making fails, and what was there stays', () => {
    const path = place('a', 'old');
    function* pieces(): Generator<string> {
      yield 'half of it';
      expect(readFileSync(path, 'utf8')).toBe('old');
      throw new Error('no second half');
    }
    expect(() => writeWhole(path, pieces())).toThrow('no second half');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(beside(path)).toEqual(['a']);
  });

  test('keeps the permissions of the file, unless others are asked for', () => {
    const path = place('a', 'old');
    chmodSync(path, 0o640);
    writeWhole(path, 'new');
    expect(modeOf(path)).toBe(0o640);
    writeWhole(path, 'newer', { mode: 0o600 });
    expect(modeOf(path)).toBe(0o600);
    const fresh = place('b');
    writeWhole(fresh, 'text', { mode: 0o600 });
    expect(modeOf(fresh)).toBe(0o600);
  });

  test('goes where a link points, and the link stays', () => {
    const path = place('a', 'old');
    const link = join(path, '..', 'link');
    symlinkSync(path, link);
    writeWhole(link, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('a device is written to and never replaced', () => {
    writeWhole('/dev/null', 'gone');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    const draft = openDraft('/dev/null', 0o600);
    draft.discard();
    expect(existsSync('/dev/null')).toBe(true);
  });

  test('a pipe is written to and never replaced', async () => {
    const path = place('pipe');
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    // Opened for both, so that nobody waits for the other end.
    const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      writeWhole(path, ['who reads ', 'gets this']);
      const read = Buffer.alloc(100);
      expect(read.toString('utf8', 0, readSync(reader, read))).toBe('who reads gets this');
      expect(lstatSync(path).isFIFO()).toBe(true);
      expect(beside(path)).toEqual(['pipe']);
    } finally {
      closeSync(reader);
    }
  });

  test('a process that is told to end leaves no draft', () => {
    const path = place('a', 'old');
    const script = `import { openDraft } from ${JSON.stringify(new URL('../../src/files/output/draft.ts', import.meta.url).href)};\nopenDraft(${JSON.stringify(path)});\nprocess.exit(0);`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: new URL('../..', import.meta.url),
    });
    expect(status, stderr).toBe(0);
    expect(beside(path)).toEqual(['a']);
  });
});

describe('what may be replaced', () => {
  const file = (path: string, more: Partial<OutputFile> = {}): OutputFile => ({
    path,
    what: 'the report',
    replaces: 'report',
    ...more,
  });

  test('a file of somebody else only with the word of the user', () => {
    const path = place('notes.md', '# My notes\n');
    expect(() => writeOutput(file(path), 'x')).toThrow(`${path} is there already, and is no report that mcpc wrote.`);
    expect(readFileSync(path, 'utf8')).toBe('# My notes\n');
    writeOutput(file(path, { overwrite: true }), 'x');
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('an empty file, one of this process, and one of mcpc of the same kind', () => {
    const path = place('a', '');
    writeOutput(file(path), 'of a template without a mark');
    writeOutput(file(path), 'and again');
    expect(readFileSync(path, 'utf8')).toBe('and again');
    const trace = place('b', '{"format":"mcpc-trace","version":1}\n');
    expect(() => checkOutput(file(trace))).toThrow('is no report');
    expect(() => checkOutput(file(trace, { replaces: 'trace' }))).not.toThrow();
  });

  test('what a user writes by hand is never replaced unasked', () => {
    const path = place('hints.yaml', 'tools: {}\n');
    expect(() => checkOutput(file(path, { replaces: 'nothing' }))).toThrow('is there already');
    expect(() => checkOutput(file(path, { replaces: 'nothing', overwrite: true }))).not.toThrow();
  });

  test('of several files, all or none', async () => {
    const [mine, theirs] = [place('a'), place('b', 'theirs')];
    const write = (path: string): void => writeFileSync(path, 'x');
    await expect(
      writeTogether([
        { ...file(mine), write },
        { ...file(theirs), write },
      ]),
    ).rejects.toThrow('is there already');
    expect(existsSync(mine)).toBe(false);
    expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  });
});

describe('a disk without room', () => {
  let disk: SmallDisk;
  afterEach(() => disk.remove());

  const script = `
    import { writeOutput, writeTogether } from ${JSON.stringify(new URL('../../src/files/output/output.ts', import.meta.url).href)};
    import { writeFileSync } from 'node:fs';
    const [path, many] = process.argv.slice(1);
    const file = (path) => ({ path, what: 'the report', replaces: 'anything' });
    const large = 'x'.repeat(300 * 1024);
    try {
      if (many) await writeTogether([{ ...file(path), write: (at) => writeFileSync(at, 'small') }, { ...file(path + '2'), write: (at) => writeFileSync(at, large) }]);
      else writeOutput(file(path), [large.slice(0, 1000), large]);
      console.log('written');
    } catch (error) {
      console.log(error.message);
    }`;

  test.each([
    ['one file', []],
    ['several files', ['many']],
  ])('leaves no half of %s', (_title, more) => {
    disk = smallDisk(128);
    const path = join(disk.folder, 'report.html');
    writeFileSync(path, 'old');
    const cwd = new URL('../..', import.meta.url).pathname;
    // Loaded here, since compiled modules go to a cache that the limit would meet, too.
    const { stdout, stderr } = disk.run(
      [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, path, ...more],
      cwd,
    );
    expect(stdout, stderr).toContain(`Cannot write the report to ${path}${more.length > 0 ? '2' : ''}: `);
    expect(stdout).toContain(disk.says);
    expect(readdirSync(disk.folder)).toEqual(['report.html']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
});
