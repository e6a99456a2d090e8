/**
 * Runs the corpus of test/suite with the reference, the npm package @blackwell-systems/mcp-assert in a temporary folder,
 * and lists each file that ends otherwise there than is wanted of mcpc (test/suite/corpus.test.ts holds mcpc to that),
 * with the rows of the contract that the file is about. Exits 1 when the list is another than that of
 * test/suite/assert-parity.md, which --write replaces.
 *
 *   npm run assert-parity -- [--write]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '0.12.3';
const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = 'test/suite/corpus';
const list = join(root, 'test/suite/assert-parity.md');
const rows = new Map(
  (JSON.parse(readFileSync(join(root, 'test/suite/rows.json'), 'utf8')) as { id: string; says: string }[]).map(
    ({ id, says }) => [id, says],
  ),
);

interface Answer {
  status: string;
  detail: string;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) =>
    execFile(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout)),
  );
}

/** What the reference says of a folder or a file; undefined when it refuses it as a whole. */
async function ask(program: string, path: string): Promise<Answer[] | undefined> {
  const text = await output(program, [
    'run',
    '--suite',
    path,
    '--fixture',
    `${corpus}/fixture`,
    '--timeout',
    '60s',
    '--json',
  ]);
  try {
    return (JSON.parse(text) as { status: string; detail?: string }[]).map(({ status, detail = '' }) => ({
      status: status.toLowerCase(),
      detail,
    }));
  } catch {
    return undefined;
  }
}

/** By file: in one run of the folder, or one by one where it refuses the folder. */
async function answersOf(program: string, folder: string, files: readonly string[]): Promise<Map<string, Answer>> {
  const all = await ask(program, folder);
  if (all?.length === files.length) return new Map(files.map((file, index) => [file, all[index]!]));
  const found = new Map<string, Answer>();
  for (const file of files) found.set(file, (await ask(program, file))?.[0] ?? { status: 'refused', detail: '' });
  return found;
}

const prefix = mkdtempSync(join(tmpdir(), 'mcpc-assert-'));
try {
  await output('npm', [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--silent',
    `@blackwell-systems/mcp-assert@${version}`,
  ]);
  const program = join(prefix, 'node_modules/.bin/mcp-assert');
  if (statSync(program, { throwIfNoEntry: false }) === undefined)
    throw new Error('The reference could not be installed.');
  const differing: string[] = [];
  let count = 0;
  const folders = readdirSync(join(root, corpus), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fixture')
    .map(({ name }) => name)
    .toSorted();
  for (const name of folders) {
    const folder = `${corpus}/${name}`;
    const files = readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.yaml'))
      .toSorted()
      .map((file) => `${folder}/${file}`);
    const answers = await answersOf(program, folder, files);
    for (const file of files) {
      count += 1;
      const text = readFileSync(join(root, file), 'utf8');
      const wanted = /^# wanted: (\w+)/m.exec(text)?.[1] ?? '';
      const named = (/^# rows: (.*)$/m.exec(text)?.[1] ?? '').split(' ');
      const { status } = answers.get(file)!;
      if (status === wanted) continue;
      const line = `| ${name}/${basename(file)} | ${wanted} | ${status} | ${named.map((id) => `${id} ${rows.get(id) ?? ''}`.trim()).join('; ')} |`;
      differing.push(line);
      say(line);
    }
  }
  say(`${count} files, ${differing.length} end otherwise in mcp-assert ${version}`);
  const before = readFileSync(list, 'utf8');
  const text = `# Files that end otherwise in mcp-assert

\`npm run assert-parity -- --write\` wrote this list: it runs the ${count} files of test/suite/corpus with mcp-assert ${version}. Each file says its expected outcome in mcpc; test/suite/corpus.test.ts holds mcpc to that. These ${differing.length} end otherwise in mcp-assert. The last column names the rows of test/suite/rows.json that a file is about.

| file | mcpc | mcp-assert | rows |
|---|---|---|---|
${differing.join('\n')}
`;
  if (process.argv.includes('--write')) writeFileSync(list, text);
  else if (before !== text) {
    say(
      'The list is another than that of test/suite/assert-parity.md. Look at what changed, then: npm run assert-parity -- --write',
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(prefix, { recursive: true, force: true });
}
