/**
 * The puppet as a program: `puppet-stdio <script.json> <part>`, where the file holds an example with its
 * setting (PuppetFile), and the part says which of its connections this process is.
 */
import { openSync, readFileSync } from 'node:fs';
import type { RuleExample } from '../../model/rule.ts';
import { compileScript, type ScriptSetting } from '../script/script.ts';
import { runStdioPuppet } from './stdio-puppet.ts';

export interface PuppetFile {
  example: RuleExample;
  setting: ScriptSetting;
}

const [file, part] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: puppet-stdio <script.json> [first|further|plain]');
const { example, setting } = JSON.parse(readFileSync(file, 'utf8')) as PuppetFile;

runStdioPuppet({
  script: compileScript(example, setting),
  part: part === 'further' || part === 'plain' ? part : 'first',
  claim: (section) => claimed(`${file}.${section}`),
  input: process.stdin,
  output: 1,
});

/** Each connection is a process of its own; a file tells the others that a section is taken. */
function claimed(mark: string): boolean {
  try {
    openSync(mark, 'wx');
    return true;
  } catch {
    return false;
  }
}
