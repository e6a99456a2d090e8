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

/** A way to a server that mcpc does not go. */
export interface LeftOut {
  name: string;
  /** Why, without a full stop. */
  why: string;
}

/** The descriptions in a file: one, perhaps wrapped as the registry's interface has it, or a list of such. */
export function registryDescriptions(value: Json): Json[] {
  const { servers } = value;
  return (Array.isArray(servers) ? newest(objects(servers)) : [value])
    .map(registryDescription)
    .filter((one) => one !== undefined);
}

function registryDescription(value: Json): Json | undefined {
  const inner = isObject(value['server']) ? value['server'] : value;
  return typeof inner['name'] === 'string' && (Array.isArray(inner['packages']) || Array.isArray(inner['remotes']))
    ? inner
    : undefined;
}

/** A listing has each version of a server; entries not marked as the latest are history. */
function newest(listed: Json[]): Json[] {
  return listed.filter(({ _meta: meta }) => {
    const official = isObject(meta) ? meta['io.modelcontextprotocol.registry/official'] : undefined;
    return !isObject(official) || official['isLatest'] !== false;
  });
}

/** The servers of a description, and each connection type that mcpc does not support. */
export function registryServers(description: Json): (RegistryServer | LeftOut)[] {
  const base = asText(description['name']);
  const left: LeftOut[] = [];
  const found: (Omit<RegistryServer, 'name'> & { way: string })[] = [];
  for (const one of objects(description['packages'])) {
    const type = textOf(one['registryType'] ?? one['registry_type'] ?? one['registry_name']);
    const identifier = textOf(one['identifier'] ?? one['name']);
    if (type === 'npm' && identifier !== undefined) found.push({ way: 'npm', ...npmServer(one, identifier) });
    else
      left.push({
        name: base,
        why: `left out: the package ${identifier ?? 'without a name'} is of type ${type ?? 'unknown'}; mcpc installs packages of npm alone`,
      });
  }
  for (const one of objects(description['remotes'])) {
    const transport = kinds[textOf(one['type'] ?? one['transport_type']) ?? ''];
    const url = textOf(one['url']);
    if (transport === undefined || url === undefined) {
      left.push({ name: base, why: `left out: a remote of type ${asText(one['type'])}` });
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
  const servers = found.map(({ way, ...server }): RegistryServer => {
    const count = (seen.get(way) ?? 0) + 1;
    seen.set(way, count);
    return { name: found.length === 1 ? base : `${base}#${way}${count === 1 ? '' : `-${count}`}`, ...server };
  });
  return [...servers, ...left];
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
      ...(url === undefined ? {} : { url: filled(url, { ...valuesOf(one), ...variablesOf(declared) }) }),
    },
    ...(transport === undefined || url === undefined ? {} : { transport }),
    env: inputs(one['environmentVariables'] ?? one['environment_variables']),
    headers: url === undefined ? {} : inputs(declared['headers']),
  };
}

/**
 * Variables that an address may name besides its own: arguments by hint or name, and environment variables. It has
 * their values, whatever these come from.
 */
function valuesOf(one: Json): Json {
  const named = [
    ...objects(one['packageArguments'] ?? one['package_arguments']).flatMap((argument): [string, Json][] => {
      const names = [argument['valueHint'] ?? argument['value_hint'], argument['name']].flatMap(
        (name) => textOf(name) ?? [],
      );
      const value = inputValue(argument, textOf(argument['name']) ?? names[0] ?? 'argument');
      return value === undefined ? [] : names.map((name) => [name.replace(/^-+/, ''), { value }]);
    }),
    ...objects(one['environmentVariables'] ?? one['environment_variables']).flatMap((input): [string, Json][] => {
      const name = textOf(input['name']);
      const value = name === undefined ? undefined : inputValue(input, name);
      return name === undefined || value === undefined ? [] : [[name, { value }]];
    }),
  ];
  return Object.fromEntries(named);
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
