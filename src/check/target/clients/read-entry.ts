/** A server as its file has it, in the spelling of the tool whose file that is, as mcpc takes it. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { usageError } from '../../../core/model/errors.ts';
import { asText, isObject, type JsonObject as Json } from '../../../core/model/json.ts';
import { socketAddress } from '../../../client/transport/network/address.ts';
import type { ListedFile, ListedServer } from './listed.ts';
import { usualSpelling, type ClientTool, type Spelling } from './spelling.ts';
import { clientTools } from './tools.ts';
import { withOwnVariables } from './variables.ts';

/** A server with the variables of mcpc in it: they are not put in. */
export type RawServer = {
  name: string;
  /** Path of a file of hints that the entry names for mcpc. */
  hintsFile?: string;
} & (
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; envFile?: string; cwd?: string }
  /** `auto`: the file does not say which of the HTTP transports it is. */
  | { kind: 'http' | 'sse' | 'auto'; url: string; headers: Record<string, string>; unixSocket?: string }
);

type Fail = (what: string, remedy?: string) => never;

/** The error of one server of a file. */
export function failing(file: string, name: string): Fail {
  return (what, remedy) => {
    throw usageError(`${file}: server "${name}": ${what}`, remedy);
  };
}

/**
 * @param at place of the server, for messages
 * @throws McpcError usage, naming place and server
 */
export function readServerEntry({ name, entry: written }: ListedServer, at: string, listed: ListedFile): RawServer {
  const fail = failing(at, name);
  if (!isObject(written)) return fail('must be an object.');
  const entry = plainEntry(written, listed.tool);
  const reader = readerOf(entry, listed, fail);
  const own = hintsOf(entry, listed.file, fail);
  const type = entry['image'] === undefined ? typeOf(reader.text('type'), fail) : undefined;
  const command = commandOf(entry, reader, fail);
  const url = reader.found('url');
  if (command !== undefined && url !== undefined && type === undefined)
    return fail('has both "command" and "url"; only one can be reached.');
  if (command !== undefined && (type === 'stdio' || url === undefined)) {
    if (type !== undefined && type !== 'stdio')
      return fail(
        `has a command, but its type is ${JSON.stringify(reader.text('type'))}.`,
        'A server with a command has the type "stdio", or none.',
      );
    const fault = blankFault(command);
    if (fault !== undefined) return fail(fault.what, fault.remedy);
    return {
      kind: 'stdio',
      name,
      ...command,
      env: { ...reader.texts('env'), ...command.env },
      ...present({ envFile: reader.text('envFile'), cwd: reader.text('cwd') }),
      ...own,
    };
  }
  if (url === undefined && typeof entry['image'] === 'string')
    return fail(
      `is an image of containers (${entry['image']}), which mcpc does not start by itself.`,
      'Give it a command, such as docker with the arguments run, -i, --rm and the image.',
    );
  if (url === undefined)
    return fail('has neither "command" nor "url".', 'A stdio server has a "command", a remote one a "url".');
  if (type === 'stdio') return fail('has the type "stdio", but no command.', 'Give it a "command".');
  const address = reader.text('url')!;
  return {
    kind: type ?? transportMeant(url.spelled, listed.tool) ?? 'auto',
    name,
    ...addressOf(address, fail),
    headers: headersOf(reader),
    ...own,
  };
}

/** An entry with its parts in one object: some keep the way to the server in an object, or in one text. */
function plainEntry(written: Json, tool: ClientTool): Json {
  const { transport, ...others } = written;
  const entry = isObject(transport) ? { ...others, ...transport } : written;
  const line = tool.spelling?.line?.map((name) => entry[name]).find((one) => typeof one === 'string');
  if (line === undefined) return entry;
  if (/^https?:\/\//i.test(line)) return { url: line, ...entry };
  const [command, ...args] = parseArgsStringToArgv(line);
  return command === undefined ? entry : { command, args, ...entry };
}

/** Meaning of an address property: in the tool's own files, or in those of the tool with that name. */
function transportMeant(spelled: string, tool: ClientTool): 'http' | 'sse' | undefined {
  const others = usualSpelling.url.includes(spelled) ? [] : clientTools;
  return [tool, ...others].map(({ transports }) => transports?.[spelled]).find((one) => one !== undefined);
}

interface Reader {
  /** The value of a property by any of its names. */
  found(meaning: keyof Spelling): { spelled: string; value: unknown } | undefined;
  text(meaning: keyof Spelling): string | undefined;
  texts(meaning: keyof Spelling): Record<string, string>;
  own(text: string): string;
}

function readerOf(entry: Json, { tool, inputs }: ListedFile, fail: Fail): Reader {
  const own = (text: string): string => withOwnVariables(text, tool, inputs);
  const found: Reader['found'] = (meaning) => {
    for (const spelled of spellingsOf(tool, meaning)) {
      const value = deep(entry, spelled);
      // A client that fills in a form leaves what is not meant as empty text.
      if (value !== undefined && value !== null && value !== '') return { spelled, value };
    }
    return undefined;
  };
  return {
    found,
    own,
    text(meaning) {
      const one = found(meaning);
      if (one === undefined) return undefined;
      return typeof one.value === 'string' ? own(one.value) : fail(`"${one.spelled}" must be text.`);
    },
    texts(meaning) {
      const one = found(meaning);
      if (one === undefined) return {};
      if (!isObject(one.value)) return fail(`"${one.spelled}" must be an object.`);
      return Object.fromEntries(
        Object.entries(one.value).map(([key, value]): [string, string] => {
          if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
            return fail(`${one.spelled}.${key} must be text.`);
          return [key, own(String(value))];
        }),
      );
    },
  };
}

/** The names that a tool has for a property, then those of the others: files are often written by hand. */
function spellingsOf(tool: ClientTool, meaning: keyof Spelling): string[] {
  const of = (one: ClientTool): readonly string[] => one.spelling?.[meaning] ?? [];
  return [...new Set([...of(tool), ...usualSpelling[meaning], ...clientTools.flatMap(of)])];
}

function deep(entry: Json, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), entry);
}

/** Of a value in a message, in characters. */
const longestQuote = 200;

/** Names of transports in each tool, without signs and in lower case; `auto` is either one over HTTP. */
const types: Readonly<Record<string, 'stdio' | 'http' | 'sse' | 'auto'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  streamablehttp: 'http',
  remote: 'auto',
  sse: 'sse',
};

function typeOf(text: string | undefined, fail: Fail): 'stdio' | 'http' | 'sse' | undefined {
  if (text === undefined) return undefined;
  const plain = text.toLowerCase().replace(/[-_ ]/g, '');
  if (!Object.hasOwn(types, plain))
    return fail(`the type "${text.slice(0, longestQuote)}" is unknown.`, 'Types are stdio, http and sse.');
  const type = types[plain]!;
  return type === 'auto' ? undefined : type;
}

interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Text with separate arguments, a list of words (opencode), or an object with both (Zed). */
function commandOf(entry: Json, reader: Reader, fail: Fail): Command | undefined {
  const found = reader.found('command');
  if (found === undefined) return undefined;
  const given = reader.found('args');
  const words = (value: unknown, name: string): string[] => {
    if (!Array.isArray(value)) return fail(`"${name}" must be a list.`);
    return value.map((one: unknown, index) =>
      typeof one === 'string' || typeof one === 'number'
        ? reader.own(String(one))
        : fail(`${name}[${index}] must be text.`),
    );
  };
  const args = given === undefined ? [] : words(given.value, given.spelled);
  if (Array.isArray(found.value)) {
    const [command, ...rest] = words(found.value, found.spelled);
    if (command === undefined) return fail(`"${found.spelled}" is an empty list.`);
    return { command, args: [...rest, ...args], env: {} };
  }
  if (isObject(found.value)) {
    const { path, args: own, env } = found.value;
    if (typeof path !== 'string') return fail(`${found.spelled}.path must be text.`);
    const texts = isObject(env) ? Object.entries(env) : [];
    return {
      command: reader.own(path),
      args: [...(own === undefined ? [] : words(own, `${found.spelled}.args`)), ...args],
      env: Object.fromEntries(texts.map(([key, value]) => [key, reader.own(asText(value))])),
    };
  }
  if (typeof found.value !== 'string') return fail(`"${found.spelled}" must be text.`);
  return { command: reader.own(found.value), args, env: {} };
}

/** A command line in the place of a program: nothing of that name can be started, since no shell splits it. */
function blankFault({ command, args }: Command): { what: string; remedy: string } | undefined {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  if (rest.length === 0 || command.includes('${') || existsSync(command)) return undefined;
  // A path may have blanks, on another machine, too; the name of a program has none.
  if (/[/\\]/.test(program) && !existsSync(program)) return undefined;
  return {
    what: `the command "${command.slice(0, longestQuote)}" holds blanks, and no program has that name; words belong into "args".`,
    remedy: `Write "command": ${JSON.stringify(program)}, "args": ${JSON.stringify([...rest, ...args])}.`,
  };
}

/** @returns the address, or the socket that it names, as in VS Code */
function addressOf(text: string, fail: Fail): { url: string; unixSocket?: string } {
  const socket = socketAddress(text);
  if (socket !== undefined) return socket;
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return fail(`the address "${scheme}://…" is none that mcpc can reach.`, 'Addresses are http, https and unix.');
  return { url: text };
}

function headersOf(reader: Reader): Record<string, string> {
  const token = reader.text('bearerVariable');
  const named = Object.entries(reader.texts('envHeaders')).map(([name, variable]) => [name, `\${${variable}}`]);
  return {
    ...reader.texts('headers'),
    ...(Object.fromEntries(named) as Record<string, string>),
    ...(token === undefined ? {} : { Authorization: `Bearer \${${token}}` }),
  };
}

/** Settings of an entry for mcpc: `"mcpc": { "hints": "hints.yaml" }`, relative to the file. */
function hintsOf({ mcpc }: Json, file: string, fail: Fail): { hintsFile?: string } {
  if (mcpc === undefined) return {};
  if (!isObject(mcpc)) return fail('"mcpc" must be an object.');
  const stray = Object.keys(mcpc).find((name) => name !== 'hints');
  if (stray !== undefined)
    return fail(`"mcpc" has an unknown property "${stray}".`, 'Known is "hints", the path of a file of hints.');
  if (mcpc['hints'] === undefined) return {};
  if (typeof mcpc['hints'] !== 'string') return fail('mcpc.hints must be the path of a file.');
  return { hintsFile: resolve(dirname(file), mcpc['hints']) };
}

function present<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
