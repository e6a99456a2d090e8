/** Mutated configurations and captures give an answer, or one clear error that names the file and where it is wrong. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfiguredServer } from '../../src/check/target/config-file.ts';
import { McpcError } from '../../src/core/model/errors.ts';
import { includedServers } from '../../src/check/fleet-file/include.ts';
import { everything } from '../support/run/options.ts';
import { clientExamples } from '../target/client-examples.ts';
import { formatExamples } from '../trace/importers/format-examples.ts';
import { imported } from '../trace/importers/harness.ts';
import { mutated, randomOf } from './mutated-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-mutated-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { HOME: join(folder, 'home') };

const count = everything ? 1000 : 60;
/** Another run may start elsewhere; a failure names its number. */
const seeds = Array.from({ length: count }, (_, index) => index + 1);

/** What may be wrong with a file as a whole, or with its name. */
const ofWhole =
  /has no servers|has \d+ servers|its servers stand in|is no(?:t a)? JSON object|holds no mapping|must be an object, names to servers|nests too deeply|server "[^"]*"|the file is empty|the format of the capture|it (?:must have|has)|none of its rows|holds more than one|several lines|YAML: |end of JSON|no messages|[Aa]lias|no MCP/;

/** The error of a file: for a reader, in few lines, with the place. */
function clear(error: unknown, file: string): string | undefined {
  if (!(error instanceof McpcError)) return `no error for a reader: ${String((error as Error).stack)}`;
  const { message } = error;
  if (!message.includes(basename(file))) return `it does not name the file: ${message}`;
  if (message.length > 2000 || /\n\s+at /.test(message)) return `it is no error for a reader: ${message}`;
  if (
    !/:\d+(?::\d+)?: |\b(?:line|entry|row|event|message|interaction|item) \d+|named twice/.test(message) &&
    !ofWhole.test(message)
  )
    return `it does not say where: ${message}`;
  return undefined;
}

describe('mutated files', () => {
  test('of clients', () => {
    const failures: string[] = [];
    for (const seed of seeds) {
      const random = randomOf(seed);
      const one = clientExamples[random(clientExamples.length)]!;
      const other = clientExamples[random(clientExamples.length)]!;
      const file = join(folder, `c${seed}`, one.path.replace('~', 'home'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, mutated(one.text, other.text, random));
      for (const read of [
        () => includedServers({ files: file }, { at: `${file}:1`, folder: dirname(file), env }),
        () => readConfiguredServer(file, undefined, env),
      ])
        try {
          read();
        } catch (error) {
          const fault = clear(error, file);
          if (fault !== undefined) failures.push(`${seed} (${one.path}): ${fault}`);
        }
    }
    expect(failures).toEqual([]);
  });

  test('of recorders', async () => {
    const failures: string[] = [];
    for (const seed of seeds) {
      const random = randomOf(seed + 1_000_000);
      const one = formatExamples[random(formatExamples.length)]!;
      const other = formatExamples[random(formatExamples.length)]!;
      const name = `f${seed}${extname(one.name)}`;
      const text = mutated(one.text, other.text, random);
      await imported(text, undefined, { name }).catch((error: unknown) => {
        const fault = clear(error, name);
        if (fault !== undefined) failures.push(`${seed} (${one.name}): ${fault}`);
      });
    }
    expect(failures).toEqual([]);
  });
});
