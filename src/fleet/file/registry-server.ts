/**
 * server.json of the MCP registry, as servers of a fleet: npm packages and remote addresses. What a user has to fill
 * in becomes a variable: `{api_key}` is `${API_KEY}`. Pure.
 */
import { asText, isObject, type JsonObject as Json } from '../../core/model/json.ts';
import type { FleetReach } from '../../core/model/reports/fleet.ts';

export interface RegistryServer {
  name: string;
  reach: FleetReach;
  transport?: 'http' | 'sse';
  env: Record<string, string>;
  headers: Record<string, string>;
}

const kinds: Record<string, 'http' | 'sse'> = { 'streamable-http': 'http', http: 'http', sse: 'sse' };

/** The description of a server within a file, which may be wrapped as the registry's own interface does. */
export function registryDescription(value: Json): Json | undefined {
  const inner = isObject(value['server']) ? value['server'] : value;
  return typeof inner['name'] === 'string' && (Array.isArray(inner['packages']) || Array.isArray(inner['remotes']))
    ? inner
    : undefined;
}

/**
 * @returns the servers, and of each way to reach it that mcpc cannot go, why not
 */
export function registryServers(description: Json): { servers: RegistryServer[]; notices: string[] } {
  const base = asText(description['name']);
  const notices: string[] = [];
  const found: (Omit<RegistryServer, 'name'> & { way: string })[] = [];
  for (const one of objects(description['packages'])) {
    const type = textOf(one['registryType'] ?? one['registry_type'] ?? one['registry_name']);
    const identifier = textOf(one['identifier'] ?? one['name']);
    if (type !== 'npm' || identifier === undefined) {
      notices.push(
        `${base}: the package ${identifier ?? 'without a name'} of type ${type ?? 'unknown'} is left out; only npm packages are installed.`,
      );
      continue;
    }
    found.push({ way: 'npm', ...npmServer(one, identifier) });
  }
  for (const one of objects(description['remotes'])) {
    const transport = kinds[textOf(one['type'] ?? one['transport_type']) ?? ''];
    const url = textOf(one['url']);
    if (transport === undefined || url === undefined) {
      notices.push(`${base}: a remote of type ${asText(one['type'])} is left out.`);
      continue;
    }
    found.push({
      way: transport,
      reach: { kind: 'url', url: filled(url, variablesOf(one)) },
      transport,
      env: {},
      headers: inputs(one['headers']),
    });
  }
  const seen = new Map<string, number>();
  const servers = found.map(({ way, ...server }) => {
    const count = (seen.get(way) ?? 0) + 1;
    seen.set(way, count);
    return { name: found.length === 1 ? base : `${base}#${way}${count === 1 ? '' : `-${count}`}`, ...server };
  });
  return { servers, notices };
}

function npmServer(one: Json, identifier: string): Omit<RegistryServer, 'name'> {
  const version = textOf(one['version']);
  const declared = isObject(one['transport']) ? one['transport'] : {};
  const transport = kinds[textOf(declared['type']) ?? ''];
  const url = transport === undefined ? undefined : textOf(declared['url']);
  // Arguments of npx and its like are about the installation, which mcpc does itself; those of node are the program's.
  const ofNode =
    textOf(one['runtimeHint'] ?? one['runtime_hint']) === 'node'
      ? words(one['runtimeArguments'] ?? one['runtime_arguments'])
      : [];
  return {
    reach: {
      kind: 'npm',
      spec: version === undefined ? identifier : `${identifier}@${version}`,
      args: words(one['packageArguments'] ?? one['package_arguments']),
      allowScripts: false,
      ...(ofNode.length === 0 ? {} : { nodeArgs: ofNode }),
      ...(url === undefined ? {} : { url: filled(url, variablesOf(declared)) }),
    },
    ...(transport === undefined || url === undefined ? {} : { transport }),
    env: inputs(one['environmentVariables'] ?? one['environment_variables']),
    headers: url === undefined ? {} : inputs(declared['headers']),
  };
}

/** Positional and named arguments as words. */
function words(list: unknown): string[] {
  return objects(list).flatMap((argument) => {
    const name = textOf(argument['name']);
    const value = inputValue(argument, name ?? textOf(argument['valueHint'] ?? argument['value_hint']) ?? 'argument');
    if (argument['type'] !== 'named') return value === undefined ? [] : [value];
    return value === undefined || name === undefined ? [] : [name, value];
  });
}

/** Environment variables or headers, which have names and values. */
function inputs(list: unknown): Record<string, string> {
  return Object.fromEntries(
    objects(list).flatMap((input): [string, string][] => {
      const name = textOf(input['name']);
      const value = name === undefined ? undefined : inputValue(input, name);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The value that is fixed, else a variable with what is said to be usual; undefined for what need not be given. */
function inputValue(input: Json, name: string): string | undefined {
  const value = textOf(input['value']);
  if (value !== undefined) return filled(value, variablesOf(input));
  const usual = textOf(input['default']);
  if (usual !== undefined) return variable(name, usual);
  return (input['isRequired'] ?? input['is_required']) === true ? variable(name) : undefined;
}

function filled(text: string, variables: Json): string {
  return text.replace(/\{([\w.-]+)\}/g, (_, name: string) => {
    const known = variables[name];
    const fixed = isObject(known) ? textOf(known['value']) : undefined;
    return fixed ?? variable(name, isObject(known) ? textOf(known['default']) : undefined);
  });
}

function variable(name: string, usual?: string): string {
  // A default is read up to the first brace.
  if (usual?.includes('}')) return usual;
  const upper = name
    .replace(/^-+/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return `\${${/^\d/.test(upper) ? '_' : ''}${upper}${usual === undefined ? '' : `:-${usual}`}}`;
}

function variablesOf(value: Json): Json {
  return isObject(value['variables']) ? value['variables'] : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
}

function objects(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
