/** Legal ways of guarding a server, which no rule may fail. */
import type { GuardSeams } from '../../../server/session/guard.ts';
import type { Variant } from '../mutations/mutation.ts';
import { httpOnly } from '../mutations/mutation.ts';

type Given = Omit<Variant, 'transports' | 'change' | 'guard'> & {
  seams: Partial<GuardSeams>;
  gate?: Variant['change']['http'];
};

function guarded({ seams, gate, ...given }: Given): Variant {
  return {
    uses: ['authorization/scope-voluntariness'],
    ...given,
    transports: httpOnly,
    guard: 'framework',
    change: { guard: seams, ...(gate ? { http: gate } : {}) },
  };
}

const wellKnown = '/.well-known/';

/** The same address under another name of the own machine: to a client another origin. */
function elsewhere(address: unknown): string {
  return String(address).replace('127.0.0.1', 'localhost');
}

export const guardedVariants: readonly Variant[] = [
  guarded({
    id: 'guarded-metadata-at-root',
    description: 'The metadata of the protected resource lies at the root alone.',
    seams: {
      places: (paths, name) => (name === 'resource' ? [`${wellKnown}oauth-protected-resource`] : paths),
      challenge: (parameters) => ({
        ...parameters,
        ...(parameters.resource_metadata === undefined
          ? {}
          : { resource_metadata: parameters.resource_metadata.replace(/\/mcp$/, '') }),
      }),
    },
  }),
  guarded({
    id: 'guarded-metadata-by-challenge',
    description: 'The metadata lies at an address of its own, which the challenge names.',
    seams: {
      places: (paths, name) => (name === 'resource' ? ['/about/metadata.json'] : paths),
      challenge: (parameters) => ({
        ...parameters,
        ...(parameters.resource_metadata === undefined
          ? {}
          : { resource_metadata: parameters.resource_metadata.replace(/\/\.well-known.*/, '/about/metadata.json') }),
      }),
    },
  }),
  guarded({
    id: 'guarded-bare-refusal',
    solitary: true,
    revisions: ['2025-03-26', '2025-11-25', '2026-07-28'],
    description: 'A missing token gets 401 without a challenge; the metadata is at its well-known address.',
    seams: { challenge: (parameters, why) => (why === 'missing' ? undefined : parameters) },
  }),
  guarded({
    id: 'guarded-other-authorization-server',
    description: 'The authorization server has another origin.',
    seams: {
      document: (content, name) => {
        if (name === 'resource')
          return { ...content, authorization_servers: [elsewhere((content.authorization_servers as unknown[])[0])] };
        return content;
      },
    },
  }),
  guarded({
    id: 'guarded-openid-with-path',
    description: 'The issuer has a path, and OpenID configuration behind it alone.',
    seams: {
      document: (content, name) => {
        if (name === 'resource')
          return {
            ...content,
            authorization_servers: [`${String((content.authorization_servers as unknown[])[0])}/tenant`],
          };
        return name === 'oauth' ? undefined : content;
      },
      places: (paths, name) => (name === 'openid' ? [`/tenant${wellKnown}openid-configuration`] : paths),
    },
  }),
  guarded({
    id: 'guarded-unreachable-authorization-server',
    solitary: true,
    description: 'The authorization server is on a host that the checker may not ask.',
    seams: {
      document: (content, name) =>
        name === 'resource'
          ? { ...content, authorization_servers: ['https://10.0.0.1'] }
          : name === 'oauth' || name === 'openid'
            ? undefined
            : content,
    },
  }),
  guarded({
    id: 'guarded-own-keys',
    solitary: true,
    description: 'Keys of its own travel as bearer tokens; nothing has to do with OAuth.',
    shortOf: {
      'authorization/scope-http-conformance': 'custom schemes are allowed, though the framework is recommended',
    },
    seams: { challenge: () => ({ realm: 'mcp' }), document: () => undefined },
  }),
  guarded({
    id: 'guarded-keys-handed-on',
    solitary: true,
    key: 'key-of-another-service',
    description: 'Any key is taken and handed on to another service; nothing has to do with OAuth.',
    shortOf: {
      'authorization/scope-http-conformance': 'custom schemes are allowed, though the framework is recommended',
    },
    seams: { challenge: () => undefined, document: () => undefined, accepts: () => true },
  }),
  guarded({
    id: 'guarded-tools-only',
    solitary: true,
    description: 'Only calls of tools need a token.',
    seams: { protects: (method) => method === 'tools/call' },
  }),
  guarded({
    id: 'guarded-open-lists',
    solitary: true,
    description: 'Lists can be read without a token, whatever is sent in its place.',
    seams: { protects: (method) => method !== 'tools/list', accepts: () => false },
  }),
  guarded({
    id: 'guarded-optional',
    solitary: true,
    uses: [],
    description: 'No token is needed, but a token that is sent must be valid.',
    seams: { protects: () => false },
  }),
  guarded({
    id: 'guarded-malformed-401',
    description: 'A malformed header gets 401 as well.',
    seams: { status: (status, why) => (why === 'malformed' ? 401 : status) },
  }),
  guarded({
    id: 'guarded-pages-everywhere',
    description: 'Any other address gives a page, as of an application in the browser.',
    seams: {},
    gate: {
      gate: ({ path, verb }) =>
        verb === 'GET' && path.startsWith(`${wellKnown}openid`)
          ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>hello</html>', reason: 'path' }
          : undefined,
    },
  }),
];
