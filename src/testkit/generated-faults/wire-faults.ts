/**
 * Faults around the payload of a message: its JSON-RPC envelope, whether and how often it comes, its bytes on stdio,
 * the HTTP reply around it, and the server's view of requests. The tables below say which requirement each violates,
 * from the sentences of the specification; what violates none is a legal variant.
 */
import type { Fault } from '../../core/model/rules/mutation.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Catalogue } from '../../core/spec/requirements/catalogue.ts';
import { eraOf } from '../../core/spec/revisions.ts';
import { carriersOf, type Carrier } from './carriers.ts';
import { allTransports, type GeneratedFault } from './generated-fault.ts';
import { areaOf, isAsked } from './requirements-of.ts';
import { bodyVariants, framingFaults } from './framing-table.ts';
import { hearingFaults } from './hearing-table.ts';
import { replyFaults } from './reply-table.ts';

type Operators = Omit<Fault, 'on'>;

interface Row {
  word: string;
  does: Operators;
  /** Requirements, or that it is legal. */
  breaks: readonly string[] | 'legal';
}

const form = ['jsonrpc.message.form'];
const version: Row[] = [
  { word: 'jsonrpc:absent', does: { remove: '$.jsonrpc' }, breaks: form },
  ...(
    [
      ['null', null],
      ['number', 2],
      ['1.0', '1.0'],
      ['2', '2'],
      ['empty', ''],
    ] as const
  ).map(([word, to]) => ({ word: `jsonrpc:${word}`, does: { set: '$.jsonrpc', to }, breaks: form })),
];

/** Members of the answer to a request. */
const ofResults: Row[] = [
  ...version,
  ...(
    [
      ['null', null],
      ['boolean', true],
      ['object', {}],
      ['other', 'nobody-asked'],
      ['fraction', 0.5],
    ] as const
  ).map(([word, to]) => ({ word: `id:${word}`, does: { set: '$.id', to }, breaks: ['jsonrpc.response.result-id'] })),
  { word: 'id:absent', does: { remove: '$.id' }, breaks: ['jsonrpc.response.result-id', ...form] },
  { word: 'id:as-string', does: { set: '$.id', as: 'string' }, breaks: ['jsonrpc.response.result-id'] },
  { word: 'id:as-number', does: { set: '$.id', as: 'number' }, breaks: ['jsonrpc.response.result-id'] },
  { word: 'id:int32', does: { set: '$.id', as: 'int32' }, breaks: ['jsonrpc.response.result-id'] },
  { word: 'id:next', does: { set: '$.id', plus: 1 }, breaks: ['jsonrpc.response.result-id'] },
  { word: 'id:longer', does: { set: '$.id', plus: '-x' }, breaks: ['jsonrpc.response.result-id'] },
  { word: 'result:absent', does: { remove: '$.result' }, breaks: ['jsonrpc.response.payload-presence'] },
  ...(
    [
      ['null', null],
      ['boolean', true],
      ['number', 42],
      ['string', 'text'],
      ['array', []],
    ] as const
  ).map(([word, to]) => ({
    word: `result:${word}`,
    does: { set: '$.result', to },
    breaks: ['jsonrpc.result.object-type'],
  })),
  {
    word: 'error:beside-result',
    does: { set: '$.error', to: { code: -32603, message: 'Something else' } },
    breaks: ['jsonrpc.response.payload-exclusivity'],
  },
  { word: 'extra-member', does: { set: '$.x-extra', to: { note: 'of no schema' } }, breaks: 'legal' },
];

const codes = ['jsonrpc.error.code-type', 'jsonrpc.error.code-and-message'];
const ofErrors: Row[] = [
  ...version,
  { word: 'id:other', does: { set: '$.id', to: 'nobody-asked' }, breaks: ['jsonrpc.response.error-id'] },
  { word: 'id:as-string', does: { set: '$.id', as: 'string' }, breaks: ['jsonrpc.response.error-id'] },
  { word: 'id:next', does: { set: '$.id', plus: 1 }, breaks: ['jsonrpc.response.error-id'] },
  { word: 'error:absent', does: { remove: '$.error' }, breaks: ['jsonrpc.response.payload-presence'] },
  ...(
    [
      ['null', null],
      ['string', 'Something failed'],
      ['array', []],
      ['number', -32603],
    ] as const
  ).map(([word, to]) => ({
    word: `error:${word}`,
    does: { set: '$.error', to },
    breaks: ['jsonrpc.error.code-and-message', ...form],
  })),
  { word: 'error.code:absent', does: { remove: '$.error.code' }, breaks: codes },
  ...(
    [
      ['null', null],
      ['string', '-32603'],
      ['fraction', -32603.5],
      ['object', {}],
      ['boolean', false],
    ] as const
  ).map(([word, to]) => ({ word: `error.code:${word}`, does: { set: '$.error.code', to }, breaks: codes })),
  { word: 'error.message:absent', does: { remove: '$.error.message' }, breaks: ['jsonrpc.error.code-and-message'] },
  ...(
    [
      ['null', null],
      ['number', 1],
      ['object', {}],
      ['array', []],
    ] as const
  ).map(([word, to]) => ({
    word: `error.message:${word}`,
    does: { set: '$.error.message', to },
    breaks: ['jsonrpc.error.code-and-message', ...form],
  })),
  { word: 'error.message:scripts', does: { set: '$.error.message', to: '失敗しました' }, breaks: 'legal' },
  { word: 'extra-member', does: { set: '$.x-extra', to: 1 }, breaks: 'legal' },
  { word: 'error.extra-member', does: { set: "$.error['x-extra']", to: 1 }, breaks: 'legal' },
];

const ofRequests: Row[] = [
  ...version,
  ...(
    [
      ['null', null],
      ['fraction', 0.5],
      ['boolean', true],
      ['object', {}],
      ['array', [1]],
    ] as const
  ).map(([word, to]) => ({
    word: `id:${word}`,
    does: { set: '$.id', to },
    breaks: ['jsonrpc.request.id-type', 'jsonrpc.request.null-id'],
  })),
  ...(
    [
      ['null', null],
      ['number', 42],
      ['object', {}],
    ] as const
  ).map(([word, to]) => ({
    word: `method:${word}`,
    does: { set: '$.method', to },
    breaks: ['jsonrpc.request.method-type', ...form],
  })),
  ...(
    [
      ['null', null],
      ['array', []],
      ['string', 'text'],
      ['number', 1],
    ] as const
  ).map(([word, to]) => ({
    word: `params:${word}`,
    does: { set: '$.params', to },
    breaks: ['jsonrpc.request.params-type'],
  })),
  { word: 'extra-member', does: { set: '$.x-extra', to: 1 }, breaks: 'legal' },
];

const ofNotifications: Row[] = [
  ...version,
  ...(
    [
      ['null', null],
      ['number', 42],
      ['object', {}],
    ] as const
  ).map(([word, to]) => ({
    word: `method:${word}`,
    does: { set: '$.method', to },
    breaks: ['jsonrpc.notification.member-types', ...form],
  })),
  ...(
    [
      ['null', null],
      ['array', []],
      ['string', 'text'],
      ['number', 1],
    ] as const
  ).map(([word, to]) => ({
    word: `params:${word}`,
    does: { set: '$.params', to },
    breaks: ['jsonrpc.notification.member-types'],
  })),
  { word: 'extra-member', does: { set: '$.x-extra', to: 1 }, breaks: 'legal' },
];

/** Methods of a declared capability that are answered as if the server did not have them. A server of the stateless era alone may refuse initialize. */
const missing: Readonly<Record<string, readonly string[]>> = {
  'server/discover': ['discover.method.implementation'],
  ping: ['ping.answer.empty-result', 'ping.answer.promptness'],
  'tools/list': ['capabilities.negotiation.declaration-adherence', 'tools.list.availability'],
  'tools/call': ['capabilities.negotiation.declaration-adherence'],
  'prompts/list': ['capabilities.negotiation.declaration-adherence', 'prompts.list.availability'],
  'prompts/get': ['capabilities.negotiation.declaration-adherence'],
  'resources/list': ['capabilities.negotiation.declaration-adherence', 'resources.list.availability'],
  'resources/read': ['capabilities.negotiation.declaration-adherence'],
  'resources/subscribe': ['capabilities.negotiation.declaration-adherence', 'resources.subscribe.result'],
  'resources/unsubscribe': ['capabilities.negotiation.declaration-adherence', 'resources.subscribe.result'],
  'completion/complete': ['capabilities.negotiation.declaration-adherence'],
  'logging/setLevel': ['logging.set-level.acceptance', 'capabilities.negotiation.declaration-adherence'],
  'tasks/list': ['tasks.capability.list-and-cancel', 'capabilities.negotiation.declaration-adherence'],
  'tasks/cancel': ['tasks.capability.list-and-cancel', 'capabilities.negotiation.declaration-adherence'],
  'tasks/get': ['capabilities.negotiation.declaration-adherence'],
  'tasks/result': [
    'tasks.result.final-outcome',
    'tasks.errors.wrapped-success',
    'capabilities.negotiation.declaration-adherence',
  ],
};

/** Methods among them that no capability announces. */
const undeclared = new Set(['server/discover', 'ping']);

/** Where the base protocol asks for an answer to each request: the second from 2026-07-28 on. */
const answers = ['jsonrpc.base.lifecycle-support', 'jsonrpc.base.pattern-support'];

/** A request that is never answered. */
const unanswered: Readonly<Record<string, readonly string[]>> = {
  initialize: ['lifecycle.initialization.server-result'],
};

function behaviourOf({ kind, method }: Carrier): Row[] {
  if (kind !== 'result') return [];
  const refusals = missing[method];
  return [
    ...(refusals
      ? [
          {
            word: 'refused:-32601',
            does: { set: '$.error', to: { code: -32601, message: 'Method not found' }, remove: '$.result' },
            breaks: undeclared.has(method) ? refusals : [...refusals, 'capabilities.server.declared-methods'],
          },
        ]
      : []),
    { word: 'dropped', does: { drop: true as const }, breaks: [...(unanswered[method] ?? refusals ?? []), ...answers] },
    { word: 'late', does: { delay: 40 }, breaks: 'legal' },
  ];
}

/** A request that is left open since it holds a member that no schema names, which the schema of requests allows in params, and from 2025-06-18 on says of _meta. */
function moreFaults(revision: Revision): { word: string; on: Fault['on']; breaks: readonly string[] }[] {
  const answered = [...answers, 'tools.list.availability'];
  return [
    // A server that does not accept it as a request must say so.
    { word: 'message', on: { reply: '*', more: 'message' }, breaks: ['errors.code.invalid-request', ...answered] },
    { word: 'params', on: { reply: '*', more: 'params' }, breaks: answered },
    ...(revision < '2025-06-18'
      ? []
      : [{ word: '_meta', on: { reply: '*', more: '_meta' as const }, breaks: answered }]),
  ];
}

/** Faults that are also possible the second or the third time alone. */
const atTimes = new Set(['id:other', 'result:null', 'result:absent', 'dropped', 'refused:-32601']);

/** Messages without a request go out on a listening stream. */
const ofListening = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
]);

const rowsOf: Readonly<Record<Carrier['kind'], readonly Row[]>> = {
  result: ofResults,
  request: ofRequests,
  notification: ofNotifications,
};

/**
 * @param faultId of a fault: for messages only those that it can mean
 * @returns the faults and variants of one revision
 */
export function wireFaults(layout: MessageLayout, catalogue: Catalogue, faultId?: string): GeneratedFault[] {
  const revision = layout.revision as Revision;
  const make = (
    id: string,
    area: string,
    fault: Fault,
    breaks: Row['breaks'],
    transports: readonly TransportKind[] = allTransports,
  ): GeneratedFault[] => {
    const asked = breaks === 'legal' ? breaks : breaks.filter((one) => isAsked(catalogue, one, revision));
    // Without a sentence in the revision it is neither wrong nor known to be right.
    return asked.length === 0 ? [] : [{ id, area, fault, transports, at: { [revision]: asked } }];
  };
  const ofCarriers = carriersOf(layout, faultId).flatMap((carrier) => {
    const { method, kind, on } = carrier;
    const area = areaOf(method);
    const rows = [...rowsOf[kind], ...behaviourOf(carrier)];
    const turns = kind === 'result' ? rows.filter(({ word }) => atTimes.has(word)) : [];
    return [
      ...rows.flatMap(({ word, does, breaks }) =>
        make(
          `${method}.${kind}.${word}`,
          area,
          { on, ...does },
          method === 'initialize' && breaks !== 'legal' ? [...breaks, ...answers] : breaks,
        ),
      ),
      // Only the second or the third time, where the first answer is right.
      ...[2, 3].flatMap((nth) =>
        turns.flatMap(({ word, does, breaks }) =>
          make(`${method}.${kind}.${word}#${nth}`, area, { on: { ...on, nth }, ...does }, breaks),
        ),
      ),
      ...framingFaults.flatMap(({ word, does, breaks }) =>
        make(`${method}.${kind}.stdio:${word}`, 'stdio', { on, ...does }, breaks, ['stdio']),
      ),
      ...(ofListening.has(method)
        ? make(
            `${method}.${kind}.copied`,
            'http',
            { on, copy: true },
            ['http.streams.broadcast', 'http.streams.single-delivery'],
            ['http'],
          )
        : []),
      ...bodyVariants.flatMap(({ word, does, breaks }) =>
        make(`${method}.${kind}.body:${word}`, 'http', { on, ...does }, breaks, ['http']),
      ),
    ];
  });
  const methods = [...layout.methods]
    .filter(([, { kind, from }]) => kind === 'request' && from !== 'server')
    .map(([method]) => method);
  return [
    ...ofCarriers,
    ...ofErrors.flatMap(({ word, does, breaks }) =>
      make(`error.${word}`, 'jsonrpc', { on: { error: '*' }, ...does }, breaks),
    ),
    ...methods.flatMap((method) =>
      ofErrors.flatMap(({ word, does, breaks }) =>
        make(`${method}.error.${word}`, areaOf(method), { on: { error: method }, ...does }, breaks),
      ),
    ),
    ...moreFaults(revision).flatMap(({ word, on, breaks }) =>
      make(`request.more-in:${word}.dropped`, 'jsonrpc', { on, drop: true }, breaks),
    ),
    ...replyFaults(methods).flatMap(({ id, fault, breaks }) => make(id, 'http', fault, breaks, ['http'])),
    ...hearingFaults(eraOf(revision) === 'stateful').flatMap(({ id, fault, breaks, transports }) =>
      make(id, 'http', fault, breaks, transports),
    ),
  ];
}
