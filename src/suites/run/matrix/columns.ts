/** The columns of a matrix: each combination of server, transport, revision and version of node. Starts nothing. */
import { usageError } from '../../../core/model/errors.ts';
import type { ServerBlock } from '../../language/model.ts';
import type { MatrixBlock, MatrixServer } from '../../language/file/matrix-part.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import type { Revision } from '../../../core/model/rules/requirement.ts';

export interface Column {
  name: string;
  /** Undefined: the servers of the suite. */
  server?: { name: string } & MatrixServer;
  transport?: 'stdio' | 'http' | 'sse';
  spec: Revision | 'auto';
  node?: string;
  language?: string;
}

export interface MatrixAxes {
  /** Words of `--with`: a name, and a command, an address or `npm:` and a package. */
  servers: readonly { name: string; words: readonly string[] }[];
  /** Words of `--serve`: a name, and a command that starts the server over HTTP, with its address behind it or not. */
  serves: readonly { name: string; words: readonly string[] }[];
  /** As `go:gopls`. */
  languages: readonly string[];
  transports: readonly string[];
  specs: readonly string[];
  nodes: readonly string[];
}

const mostColumns = 100;
/** The program that mcp-assert has fixed for `--languages`. */
const languageProgram = 'agent-lsp';

/** @throws McpcError usage for what cannot be combined */
export function columnsOf(axes: MatrixAxes, block: MatrixBlock): Column[] {
  const named = [...servedToo(axes), ...axes.languages.map(languageOf)];
  const servers: ((Column['server'] & { language?: string }) | undefined)[] =
    named.length > 0 ? named : [...block.servers].map(([name, one]) => ({ name, ...one }));
  const twice = named.find(({ name }, index) => named.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw usageError(`Two servers of the matrix are called ${twice.name}.`, 'Give each a name of its own.');
  const specs = axes.specs.length > 0 ? axes.specs : block.specs;
  const unknown = specs.find((spec) => !isKnownRevision(spec));
  if (unknown !== undefined)
    throw usageError(`There is no revision "${unknown}".`, `Use some of ${revisions.join(', ')}.`);
  const nodes = axes.nodes.length > 0 ? axes.nodes : block.nodes;
  const transports = axes.transports.length > 0 ? axes.transports : block.transports;
  if (servers.length === 0) servers.push(undefined);
  const columns = servers.flatMap((server) =>
    transportsOf(server, transports).flatMap((transport) =>
      (specs.length === 0 ? [undefined] : specs).flatMap((spec) =>
        (nodes.length === 0 ? [undefined] : nodes).map((node): Column => {
          const { language, ...own } = server ?? {};
          return {
            name:
              [
                server?.name,
                transports.length > 1 || server === undefined ? transport : undefined,
                spec,
                node === undefined ? undefined : `node ${node}`,
              ]
                .filter((part) => part !== undefined)
                .join(' ') || 'suite',
            ...(server === undefined ? {} : { server: own as NonNullable<Column['server']> }),
            transport,
            spec: (spec as Revision | undefined) ?? 'auto',
            node,
            language,
          };
        }),
      ),
    ),
  );
  if (columns.length > mostColumns)
    throw usageError(
      `The matrix has ${columns.length} columns, more than ${mostColumns}.`,
      'Combine fewer servers, transports, revisions or versions of node.',
    );
  if (columns.length === 1 && columns[0]!.name === 'suite')
    throw usageError(
      'The matrix has one column: there is nothing to compare.',
      'Name servers with --with, or give --transports, --spec or --node; or add the property matrix to a suite.',
    );
  return columns;
}

function serverOf({
  name,
  words: [first = '', ...rest],
}: MatrixAxes['servers'][number]): { name: string } & MatrixServer {
  const empty = { env: {}, transport: '', headers: {} };
  if (first.startsWith('npm:')) return { name, npm: first.slice('npm:'.length), block: { ...empty, args: rest } };
  if (!/^https?:\/\//i.test(first)) return { name, block: { ...empty, command: first, args: rest } };
  if (rest.length > 0)
    throw usageError(
      `--with ${name}: nothing may follow the address.`,
      'Servers with headers are described in the property matrix of a suite.',
    );
  return { name, block: { ...empty, args: [], transport: 'http', url: first } };
}

/** Of a server that is both named and served, one entry. */
function servedToo({ servers, serves }: MatrixAxes): ({ name: string } & MatrixServer)[] {
  const twice = serves.find(({ name }, index) => serves.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw usageError(`--serve names ${twice.name} twice.`, 'Give each server one command.');
  const named = servers.map((one) => {
    const own = serverOf(one);
    const serve = serves.find(({ name }) => name === one.name);
    return serve === undefined
      ? own
      : { ...own, ...servedOf(serve), block: { ...own.block, url: servedOf(serve).block.url! } };
  });
  return [
    ...named,
    ...serves
      .filter(({ name }) => servers.every((one) => one.name !== name))
      .map((one) => ({ name: one.name, ...servedOf(one) })),
  ];
}

function servedOf({ words }: MatrixAxes['serves'][number]): MatrixServer {
  const last = words.at(-1)!;
  const inWords = words.length > 1 && /^https?:\/\//i.test(last);
  return {
    serve: inWords ? words.slice(0, -1) : words,
    block: { args: [], env: {}, headers: {}, transport: 'http', url: inWords ? last : 'http://127.0.0.1:{{port}}/mcp' },
  };
}

function languageOf(text: string): { name: string; language: string } & MatrixServer {
  const [, language, server] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (language === undefined)
    throw usageError(
      `--languages takes entries such as go:gopls, not "${text}".`,
      'Write the language, a colon and the server.',
    );
  return {
    name: language,
    language,
    block: { command: languageProgram, args: [`${language}:${server}`], env: {}, transport: '', headers: {} },
  };
}

/** The transports of a server that are wanted; undefined stands for what it says itself. */
function transportsOf(server: Column['server'], wanted: readonly string[]): Column['transport'][] {
  if (wanted.length === 0) return [undefined];
  return wanted.map((transport) => {
    if (transport !== 'stdio' && transport !== 'http' && transport !== 'sse')
      throw usageError(`There is no transport "${transport}".`, 'Use stdio, http or sse.');
    const has =
      server === undefined ||
      (transport === 'stdio'
        ? server.npm !== undefined || server.block.command !== undefined
        : server.block.url !== undefined);
    if (!has)
      throw usageError(
        `The server ${server?.name} has no ${transport === 'stdio' ? 'command for stdio' : `address for ${transport}`}.`,
        'Give --serve with a command that starts it over HTTP, or describe both in the property matrix of a suite.',
      );
    return transport;
  });
}

/** The server of a case in a column. @param words that start the installed package */
export function serverIn({ server, transport }: Column, own: ServerBlock, words?: readonly string[]): ServerBlock {
  const over = transport === undefined ? {} : { transport };
  if (server === undefined) return { ...own, ...over };
  const { block } = server;
  return {
    ...block,
    ...(words === undefined ? {} : { command: words[0]!, args: words.slice(1) }),
    env: { ...own.env, ...block.env },
    ...(block.features === undefined && own.features !== undefined ? { features: own.features } : {}),
    ...over,
  };
}
