/** `--server "COMMAND"` and `--headers` of mcp-assert, in addition to mcpc's own flags for them. */
import { Flags } from '@oclif/core';
import { parseArgsStringToArgv } from 'string-argv';
import { usageError } from '../../../../core/model/errors.ts';

export const serverLineFlags = {
  server: Flags.string({
    summary: 'Command line of the server, split as a shell does; with --config, a name in that file.',
    helpGroup: 'TARGET',
    helpValue: '"COMMAND"',
  }),
  headers: Flags.string({
    summary: 'Headers for every request, as in mcp-assert; --header does the same.',
    helpGroup: 'TARGET',
    helpValue: 'NAME=VALUE,…',
  }),
};

interface ServerLine {
  server?: string | undefined;
  config?: string | undefined;
  url?: string | undefined;
}

/**
 * The command of `--server`, which without --config is a command line; undefined if it is absent, or a name.
 * @param command words after `--`
 * @throws McpcError usage for a server that is named twice
 */
export function serverWords({ server, config, url }: ServerLine, command: readonly string[]): string[] | undefined {
  if (server === undefined || config !== undefined) return undefined;
  if (command.length > 0 || url !== undefined)
    throw usageError('The server is named twice.', 'Name it once: by --server, by --url, by --config or after "--".');
  const words = parseArgsStringToArgv(server);
  if (words.length === 0) throw usageError('--server names no command.', 'For example --server "node server.js".');
  return words;
}

/** The flags without a `--server` that is a command line, and the command. */
export function withServerLine<F extends ServerLine>(flags: F, command: string[]): { flags: F; command: string[] } {
  const words = serverWords(flags, command);
  return words === undefined ? { flags, command } : { flags: { ...flags, server: undefined }, command: words };
}

/** The headers of `--headers` among those of `--header`. */
export function withHeaders<F extends { headers?: string | undefined; header?: string[] | undefined }>(flags: F): F {
  if (flags.headers === undefined) return flags;
  const pairs = flags.headers.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1)
      throw usageError(`--headers takes NAME=VALUE, not "${pair}".`, 'For example --headers "X-Team=a,X-Env=test".');
    return `${pair.slice(0, at).trim()}: ${pair.slice(at + 1).trim()}`;
  });
  return { ...flags, header: [...(flags.header ?? []), ...pairs] };
}
