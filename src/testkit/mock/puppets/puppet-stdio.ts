/**
 * The puppet as a program: `puppet-stdio <script.json> <part>`, where the file holds an example with its
 * setting (PuppetFile), and the part says which of its connections this process is.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { RuleExample } from '../../../core/model/rules/rule.ts';
import { compileScript, type ScriptSetting } from '../script.ts';
import { runStdioPuppet, type StdioPuppetHost } from './stdio-puppet.ts';

export interface PuppetFile {
  example: RuleExample;
  setting: ScriptSetting;
}

/** Maximum life of a puppet after the end of its stdin. */
const mostMs = 30_000;

const [file, part] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: puppet-stdio <script.json> [first|further|plain]');
const { example, setting } = JSON.parse(readFileSync(file, 'utf8')) as PuppetFile;

runStdioPuppet({
  script: compileScript(example, setting),
  part: part === 'further' || part === 'plain' ? part : 'first',
  claim: (section) => claimed(`${file}.${section}`),
  host: processHost(),
});

function processHost(): StdioPuppetHost {
  const output = 1;
  let open = true;
  return {
    input: process.stdin,
    write(bytes) {
      for (let rest = bytes; open && rest.length > 0; ) {
        try {
          rest = rest.subarray(writeSync(output, rest));
        } catch (error) {
          // The pipe is full: it is tried until there is room.
          open = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        }
      }
    },
    closeOutput() {
      open = false;
      closeSync(output);
    },
    exit(code, signal) {
      if (signal === null) process.exit(code ?? 0);
      process.kill(process.pid, signal as NodeJS.Signals);
    },
    outlive(ignoresSigterm) {
      if (ignoresSigterm) process.on('SIGTERM', () => {});
      setTimeout(() => process.exit(0), mostMs);
    },
  };
}

/** Each connection is a separate process; a file marks a section as taken. */
function claimed(mark: string): boolean {
  try {
    openSync(mark, 'wx');
    return true;
  } catch {
    return false;
  }
}
