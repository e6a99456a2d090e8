/** Judges a trace by house rules in the copy of src beside it, and prints what became of them. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [root, trace, rules, requirements] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(path.join(root, 'src', file)).href);
const { judgeTraceFile } = await load('check/judge/judge.ts');
const selection = { only: [], skip: [], houseRules: [rules], houseRequirements: [requirements] };
const { parts } = await judgeTraceFile(trace, { selection, toolVersion: '0' });
process.stdout.write(JSON.stringify(parts[0].verdicts.map(({ rule, status, message }) => ({ rule, status, message }))));
