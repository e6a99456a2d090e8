/**
 * What a coding agent may have mcpc start, read and write: servers of the configurations that the user named when
 * `mcpc mcp` was started, files below the project, and nothing else unless the user allowed it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { readServers } from '../check/target/clients/listed.ts';
import { McpcError } from '../core/model/errors.ts';

/** What the user allowed. */
export interface Allowed {
  /** Folder whose files may be read. */
  project: string;
  /** Client configurations whose servers may be started or reached. */
  configs: readonly string[];
  /** Any command and any address. */
  commands: boolean;
  /** Files below the project may be written. */
  writes: boolean;
}

/** A server as an agent names it. */
export interface NamedServer {
  server?: string | undefined;
  command?: string[] | undefined;
  url?: string | undefined;
}

/** A request that the user has not allowed, or that names nothing; the text is for the agent. */
export class Refused extends Error {}

export class Access {
  readonly allowed: Allowed;
  private readonly root: string;

  /** @throws McpcError usage for a project folder or a configuration that cannot be read */
  constructor(allowed: Allowed) {
    if (!existsSync(allowed.project))
      throw new McpcError('usage', `There is no folder ${allowed.project}.`, {
        remedy: 'Name the folder with --project.',
      });
    this.allowed = allowed;
    this.root = realpathSync(allowed.project);
    this.servers();
  }

  /** The servers of the configurations, each with its file, read again each time since files change. @throws McpcError usage */
  servers(): { name: string; file: string }[] {
    return this.allowed.configs.flatMap((file) =>
      readServers(file, { env: process.env, platform: process.platform })
        .servers.filter(({ off }) => !off)
        .map(({ name }) => ({ name, file })),
    );
  }

  /** The flags and words of a command line that name the server; `after` goes behind all flags. @throws Refused */
  target({ server, command, url }: NamedServer): { flags: string[]; after: string[] } {
    const given = [server, command, url].filter((one) => one !== undefined).length;
    if (given !== 1) throw new Refused(`Name one server, and in one way. ${this.choice()}`);
    if (server !== undefined) {
      const found = this.servers().filter(({ name }) => name === server);
      if (found.length !== 1)
        throw new Refused(
          found.length === 0
            ? `No server is called ${JSON.stringify(server)}. ${this.choice()}`
            : `Two configurations have a server ${JSON.stringify(server)}.`,
        );
      return { flags: ['--config', found[0]!.file, '--server', server], after: [] };
    }
    if (!this.allowed.commands)
      throw new Refused(
        `Only configured servers may be started or reached. ${this.choice()} The user allows more with --allow-commands.`,
      );
    return url === undefined ? { flags: [], after: ['--', ...command!] } : { flags: ['--url', url], after: [] };
  }

  /** Which servers there are, in a sentence. */
  choice(): string {
    const names = this.servers().map(({ name }) => name);
    return names.length === 0
      ? 'No server is configured: start mcpc mcp with --config FILE.'
      : `Configured: ${names.join(', ')}.`;
  }

  /** An existing file or folder below the project, with links followed. @throws Refused */
  readable(path: string): string {
    const whole = resolve(this.root, path);
    if (!existsSync(whole)) throw new Refused(`There is no ${path} in the project.`);
    return this.inside(realpathSync(whole), path);
  }

  /** A place below the project where a file may be written. @throws Refused */
  writable(path: string): string {
    if (!this.allowed.writes)
      throw new Refused(
        'Nothing may be written: the user did not start mcpc mcp with --allow-writes. Leave out the output to get the text instead.',
      );
    const whole = resolve(this.root, path);
    // A folder that does not exist yet is where the nearest one that does leads to.
    let there = whole;
    while (!existsSync(there)) there = dirname(there);
    return this.inside(join(realpathSync(there), relative(there, whole)), path);
  }

  private inside(whole: string, path: string): string {
    const below = relative(this.root, whole);
    if (below === '..' || below.startsWith(`..${sep}`) || resolve(whole) !== resolve(this.root, below))
      throw new Refused(`${path} is outside of the project folder.`);
    return whole;
  }
}
