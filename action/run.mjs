/**
 * The work of the action: a check, a run of suites, their reports, and the outputs. Inputs come by the environment and
 * reach mcpc as words of its command line; no shell sees them.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const input = (name) => (process.env[`INPUT_${name}`] ?? '').trim();
const files = {
  html: 'html',
  junit: 'junit.xml',
  sarif: 'sarif',
  json: 'json',
  markdown: 'md',
  'badge-json': 'badge.json',
  'badge-svg': 'svg',
};
const grades = ['A', 'B', 'C', 'D', 'F'];

function refuse(message) {
  console.log(`::error::${message}`);
  process.exit(2);
}

/** The words of a command line with the quoting of a POSIX shell. */
function wordsOf(line) {
  const words = [];
  let word;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      word ??= '';
      for (at += 1; line[at] !== character; at += 1) {
        if (at >= line.length) refuse('server: a quotation mark is not closed');
        if (character === '"' && line[at] === '\\' && /["\\$`]/.test(line[at + 1] ?? '')) at += 1;
        word += line[at];
      }
    } else {
      if (character === '\\') at += 1;
      word = (word ?? '') + (line[at] ?? '');
    }
  }
  return word === undefined ? words : [...words, word];
}

const [server, url, config, suite] = ['SERVER', 'URL', 'CONFIG', 'SUITE'].map(input);
const minGrade = input('MIN_GRADE').toUpperCase();
const failOn = input('FAIL_ON') || 'violations';
const formats = input('FORMATS')
  .split(/[\s,]+/)
  .filter(Boolean);
const unknown = formats.find((format) => files[format] === undefined);

if (unknown !== undefined) refuse(`formats: there is no format "${unknown}"; use ${Object.keys(files).join(', ')}`);
if (!['violations', 'gates', 'never'].includes(failOn))
  refuse(`fail-on: use violations, gates or never, not "${failOn}"`);
if (minGrade !== '' && !grades.includes(minGrade))
  refuse(`min-grade: use one of ${grades.join(', ')}, not "${minGrade}"`);
if (server === '' && url === '' && config === '' && suite === '')
  refuse('Name a server: server, url or config; or a suite that names its own.');

const folder = join(process.env.RUNNER_TEMP, 'mcpc-report');
mkdirSync(folder, { recursive: true });

function mcpc(words) {
  const { status, error } = spawnSync('mcpc', words, { stdio: 'inherit' });
  if (error !== undefined) refuse(`mcpc cannot be started: ${error.message}`);
  return status ?? 130;
}

/** Flags for the reports with these names, besides those that the action reads itself. */
function reports(name) {
  return [...new Set(['json', 'markdown', ...formats])].flatMap((format) => [
    '--format',
    format,
    '--output',
    join(folder, `${name}.${files[format]}`),
  ]);
}

const target =
  config !== ''
    ? ['--config', config, ...(server === '' ? [] : ['--server', server])]
    : url !== ''
      ? ['--url', url]
      : server === ''
        ? []
        : ['--', ...wordsOf(server)];

function readReport(name) {
  const file = join(folder, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The exit code that counts, by what the action is to fail on. */
function counted(code, missed) {
  if (code !== 1 || failOn === 'violations') return code;
  return failOn === 'gates' && missed ? 1 : 0;
}

const codes = [];
let report;
if (target.length > 0) {
  const gate = minGrade === '' ? [] : ['--min-grade', minGrade];
  const trace = ['--trace', join(folder, 'check.trace.jsonl')];
  const code = mcpc(['check', '--format', 'github', ...reports('check'), '--overwrite', ...trace, ...gate, ...target]);
  report = readReport('check');
  const grade = report?.parts[0]?.grade ?? null;
  const worse = minGrade !== '' && (grade === null || grades.indexOf(grade[0]) > grades.indexOf(minGrade));
  codes.push(counted(code, worse || (report?.incomplete ?? null) !== null));
  const summary = join(folder, 'check.md');
  if (process.env.GITHUB_STEP_SUMMARY && existsSync(summary))
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${readFileSync(summary, 'utf8')}\n`);
}
let cases;
if (suite !== '') {
  // It writes annotations and the summary of the step by itself.
  const gate = ['--threshold', input('THRESHOLD') || '100'];
  codes.push(counted(mcpc(['ci', suite, ...gate, ...reports('suite'), '--overwrite', ...target]), true));
  cases = readReport('suite');
}

const rules = report?.parts[0]?.counts;
const outputs = {
  grade: report?.parts[0]?.grade ?? '',
  score: report?.parts[0]?.score ?? '',
  compliant: report?.compliant ?? '',
  passed: cases?.counts.passed ?? rules?.pass ?? '',
  failed: cases?.counts.failed ?? rules?.fail ?? '',
  report: folder,
  sarif: formats.includes('sarif') ? folder : '',
};
appendFileSync(
  process.env.GITHUB_OUTPUT,
  Object.entries(outputs)
    .map(([name, value]) => `${name}=${String(value).replace(/[\r\n]+/g, ' ')}\n`)
    .join(''),
);
process.exitCode = Math.max(0, ...codes);
