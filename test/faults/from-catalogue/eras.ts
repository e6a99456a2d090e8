/** Faults of discovery, versions, capabilities and extensions. */
import { randomUUID } from 'node:crypto';
import { errorCode, isObject, RpcError, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { paginate } from '../../../src/server/protocol/pagination.ts';
import { without } from '../../../src/testkit/example-server/mutations/edits.ts';
import {
  both,
  declaredBy,
  hearing,
  modernOnly,
  ofDiscovery,
  ofErrors,
  ofResults,
  onStdio,
  overHttp,
  versionKey,
  type CatalogueFault,
} from './fault.ts';

export const eraFaults: readonly CatalogueFault[] = [
  {
    id: 'discovery-without-scope',
    violates: ['discover.result.members', 'caching.hints.discover'],
    description: 'The result of server/discover has ttlMs and no cacheScope.',
    transports: both,
    change: ofResults('server/discover', (result) => without(result, 'cacheScope')),
  },
  {
    id: 'version-only-advertised',
    violates: ['discover.result.supported-versions', 'versioning.unsupported.list-agreement'],
    description: 'Discovery names a version beside its own that every request is refused with.',
    transports: both,
    change: ofResults('server/discover', (result) => ({ ...result, supportedVersions: ['2026-07-28', '2027-01-15'] })),
  },
  {
    id: 'supported-versions-as-text',
    violates: ['versioning.unsupported.error-data'],
    alsoBreaks: ['versioning.unsupported.error-code'],
    description: 'The error -32022 names the supported versions as one text in place of a list.',
    transports: both,
    change: {
      outgoing: ofErrors('version-unsupported', (error) => ({
        ...error,
        data: { ...(error.data as object), supported: '2026-07-28' },
      })),
    },
  },
  {
    id: 'version-unchecked-in-prompts',
    violates: ['versioning.unsupported.method-coverage'],
    description: 'Methods of prompts and completion are served whatever version the request names.',
    transports: onStdio,
    change: {
      incoming: hearing(
        ['prompts/list', 'prompts/get', 'completion/complete'],
        ({ meta }) => void (meta[versionKey] = '2026-07-28'),
      ),
    },
  },
  {
    id: 'version-refused-with-200',
    violates: ['versioning.unsupported.http-400'],
    description: 'An unknown version is refused with HTTP status 200, except by server/discover.',
    transports: overHttp,
    change: {
      http: {
        reply: (reply) =>
          reply.reason === 'version-unsupported' && reply.method !== 'server/discover'
            ? { ...reply, status: 200 }
            : reply,
      },
    },
  },
  {
    id: 'initialize-refused-without-versions',
    violates: ['versioning.era.initialize-error-versions'],
    description: 'A server of this revision alone refuses initialize as an unknown method, and names no version.',
    transports: both,
    serve: modernOnly,
    change: {
      outgoing: (message, about) => [
        about.kind === 'error' && about.method === 'initialize'
          ? { ...message, error: { code: -32601, message: 'Method not found' } }
          : message,
      ],
    },
  },
  {
    id: 'remembered-capabilities',
    violates: [
      'versioning.stateless.prior-request-independence',
      'capabilities.client.undeclared-reliance',
      'mrtr.result.declared-capabilities',
    ],
    alsoBreaks: [
      'capabilities.client.missing-error',
      'elicitation.capability.server-mode-use',
      'sampling.capability.tools-server-use',
      'roots.capability.server-check',
    ],
    description:
      'A call that declares no capability is served with those of the call before it on the same connection.',
    transports: onStdio,
    change: {
      incoming: hearing('tools/call', (request) => {
        const declared = declaredBy(request);
        if (Object.keys(declared).length > 0) request.session.memo.set('declared', structuredClone(declared));
        else Object.assign(declared, request.session.memo.get('declared'));
      }),
    },
  },
  {
    id: 'cursors-of-one-connection',
    violates: ['versioning.stateless.connection-affinity'],
    description: 'A cursor is good only on the connection on which it was given out.',
    transports: onStdio,
    change: {
      paginate(items, cursor, size, list, session) {
        const own = (session.memo.get('cursors') ?? new Map<string, unknown>()) as Map<unknown, unknown>;
        session.memo.set('cursors', own);
        if (cursor !== undefined && !own.has(cursor))
          throw new RpcError(errorCode.invalidParams, 'Invalid cursor', { reason: 'cursor' });
        const page = paginate(items, cursor === undefined ? undefined : own.get(cursor), size, list);
        if (page.nextCursor === undefined) return page;
        const next = randomUUID();
        own.set(next, page.nextCursor);
        return { ...page, nextCursor: next };
      },
    },
  },
  {
    id: 'subscribe-as-number',
    violates: ['capabilities.declaration.schema'],
    description: 'Discovery declares resources with subscribe: 1.',
    transports: both,
    change: ofDiscovery((capabilities) => ({ ...capabilities, resources: { subscribe: 1, listChanged: true } })),
  },
  {
    id: 'completions-undeclared',
    violates: [
      'completion.capability.declaration',
      'capabilities.server.advertisement',
      'capabilities.server.unadvertised-method',
    ],
    alsoBreaks: ['completion.errors.unsupported'],
    description: 'completion/complete is served, and discovery does not declare completions.',
    transports: both,
    change: ofDiscovery((capabilities) => without(capabilities, 'completions')),
  },
  {
    id: 'required-capabilities-as-list',
    violates: ['capabilities.client.missing-error-data'],
    description: 'Where sampling is missing, requiredCapabilities is a list of names.',
    transports: both,
    change: {
      outgoing: ofErrors('capability-missing', (error) => {
        const needed = isObject(error.data) ? error.data.requiredCapabilities : undefined;
        return isObject(needed) && needed.sampling !== undefined
          ? { ...error, data: { requiredCapabilities: ['sampling'] } }
          : undefined;
      }),
    },
  },
  {
    id: 'missing-roots-with-200',
    violates: ['capabilities.client.missing-error-400'],
    description: 'The refusal of a call that needs roots of a client without them comes with HTTP status 200.',
    transports: overHttp,
    change: {
      http: {
        reply: (reply) =>
          reply.reason === 'capability-missing' && JSON.stringify(reply.body).includes('"roots"')
            ? { ...reply, status: 200 }
            : reply,
      },
    },
  },
  {
    id: 'pages-for-clients-with-forms',
    violates: [
      'elicitation.capability.server-mode-use',
      'mrtr.result.declared-capabilities',
      'capabilities.client.undeclared-reliance',
    ],
    alsoBreaks: ['capabilities.client.missing-error'],
    description: 'A client that declares elicitation: {} is asked in URL mode as well.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        const { elicitation } = declaredBy(request);
        if (isObject(elicitation) && Object.keys(elicitation).length === 0)
          Object.assign(elicitation, { form: {}, url: {} });
      }),
    },
  },
  {
    id: 'tools-for-plain-models',
    violates: [
      'sampling.capability.tools-server-use',
      'mrtr.result.declared-capabilities',
      'capabilities.client.undeclared-reliance',
    ],
    alsoBreaks: ['capabilities.client.missing-error'],
    description: 'A client that declares sampling without tools is sent a sampling request with tools.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        const { sampling } = declaredBy(request);
        if (isObject(sampling)) sampling.tools ??= {};
      }),
    },
  },
  {
    id: 'extension-settings-true',
    violates: ['extensions.settings.object-type'],
    alsoBreaks: ['capabilities.declaration.schema'],
    description: 'An extension stands in the capabilities with true in place of its settings.',
    transports: both,
    change: ofDiscovery((capabilities) => ({
      ...capabilities,
      extensions: { ...(capabilities.extensions as JsonObject), 'com.example/search': true },
    })),
  },
  {
    id: 'extension-without-prefix',
    violates: ['extensions.identifier.server-syntax'],
    description: 'An extension has a name without prefix.',
    transports: both,
    change: ofDiscovery((capabilities) => ({
      ...capabilities,
      extensions: { ...(capabilities.extensions as JsonObject), searchFilters: {} },
    })),
  },
  {
    id: 'one-tool-always-a-task',
    violates: ['extensions.mismatch.fallback'],
    alsoBreaks: ['ext-tasks.declaration.undeclared-creation'],
    description: 'The call of one tool is answered with a task though the client does not declare the extension.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        if (request.params.name === 'missed-deadline')
          declaredBy(request).extensions = { 'io.modelcontextprotocol/tasks': {} };
      }),
    },
  },
];
