/** Takes the commands out of a Markdown page, and runs them as a reader would: by a shell, in a checkout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { linkedCopy } from '../support/linked-copy.ts';
import { root } from './harness.ts';

export interface Block {
  language: string;
  lines: string[];
}

/** The fenced blocks of a page that name a language. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    lines: text.trimEnd().split('\n'),
  }));
}

export interface Shown {
  command: string;
  /** What the page shows of its output; a line "…" stands for any lines. */
  output: string[];
}

/** Commands behind "$ " with the output that the page shows below each. */
export function transcriptOf({ lines }: Block): Shown[] {
  const shown: Shown[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: [] });
    else shown.at(-1)!.output.push(line);
  }
  return shown;
}

/** True if the lines are those of the output, from its first to its last, where "…" skips any number of them. */
export function showsAs(output: string, lines: readonly string[]): boolean {
  const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\n)*?' : `${escape(line)}\\s*\n`)).join('');
  return new RegExp(`^${pattern}$`).test(`${output.trimEnd()}\n`);
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A copy of this checkout, as `git clone` gives it, with the installed packages and the build. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcpc-checkout-'));
  private readonly running = new Set<number>();
  private readonly programs = mkdtempSync(join(tmpdir(), 'mcpc-programs-'));

  constructor() {
    const left = new Set(['.git', 'node_modules', 'demo', 'runs', 'coverage', 'mcpc-fleet']);
    for (const name of readdirSync(root)) if (!left.has(name)) linkedCopy(join(root, name), join(this.folder, name));
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    // npx would take the same program, half a second later.
    writeFileSync(
      join(this.programs, 'npx'),
      `#!/bin/sh\n[ "$1" = mcpc ] || { echo "npx $1 is not for this test" >&2; exit 97; }\nshift\nexec node "${this.folder}/bin/mcpc.js" "$@"\n`,
    );
    chmodSync(join(this.programs, 'npx'), 0o755);
  }

  write(name: string, content: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true });
    writeFileSync(join(this.folder, name), content);
  }

  /** @param interruptAt Ctrl-C is sent when stderr shows this text */
  async run(
    script: string,
    {
      env = {},
      cwd = this.folder,
      ownNpx = false,
      interruptAt,
    }: { env?: Record<string, string>; cwd?: string; ownNpx?: boolean; interruptAt?: string } = {},
  ): Promise<Ran> {
    // Without colours, without what vitest and npm set for their own children, and never with a package of a registry.
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(FORCE_COLOR|VITEST.*|npm_.*|NODE_ENV|GITHUB_.*|TEST|DEV|PROD|MODE)$/.test(name),
      ),
    );
    const path = [...(ownNpx ? [] : [this.programs]), env['PATH'] ?? process.env['PATH'] ?? ''].join(delimiter);
    const child = spawn('bash', ['-c', script], {
      cwd,
      env: {
        ...inherited,
        NO_COLOR: '1',
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
        npm_config_yes: 'false',
        ...env,
        PATH: path,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      const before = interruptAt !== undefined && stderr.includes(interruptAt);
      stderr += chunk.toString();
      if (!before && interruptAt !== undefined && stderr.includes(interruptAt)) process.kill(-child.pid!, 'SIGINT');
    });
    this.running.add(child.pid!);
    const [code] = (await once(child, 'close')) as [number | null];
    this.running.delete(child.pid!);
    return { code, stdout, stderr };
  }

  /** Removes the folder, and ends what a test that ran out of time has left. */
  remove(): void {
    for (const pid of this.running) process.kill(-pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.programs, { recursive: true, force: true });
  }
}
