/** Mutations of how headers of parameters and names are held against the body (2026-07-28: streamable-http, custom headers). */
import type { Duty } from '../../../../server/session/behaviour.ts';
import { errorCode } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { editing, errorFor, withError } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { httpOnly, mutation } from '../mutation.ts';

function overHttp(
  rule: string,
  description: string,
  given: Omit<Parameters<typeof mutation>[0], 'rule' | 'description' | 'transports' | 'revisions'>,
): Mutation {
  return mutation({ rule, description, transports: httpOnly, revisions: [statelessRevision], ...given });
}

function omission(
  rule: string,
  description: string,
  neglects: readonly Duty[],
  alsoBreaks: readonly string[] = [],
): Mutation {
  return overHttp(rule, description, { change: { neglects }, alsoBreaks });
}

export const paramHeaderMutations: readonly Mutation[] = [
  omission('http/param-header-missing-rejection', 'Calls that lack the header of an argument are served.', [
    'require-param-headers',
  ]),
  omission('http/param-header-value-match', 'Headers of parameters are not compared with the arguments.', [
    'match-param-headers',
  ]),
  {
    ...omission('http/param-header-value-match', 'Headers of parameters are compared without regard to case.', [
      'match-param-header-case',
    ]),
    id: 'http/param-header-value-match@case',
  },
  {
    ...omission('http/header-value-case-sensitivity', 'Mcp-Name is compared without regard to case.', [
      'match-name-case',
    ]),
    id: 'http/header-value-case-sensitivity@name',
    alsoBreaks: ['http/validation-body-mismatch'],
  },
  {
    ...omission('http/validation-body-mismatch', 'Mcp-Name is never compared with the body.', ['match-name-header']),
    id: 'http/validation-body-mismatch@name',
    alsoBreaks: ['http/header-value-case-sensitivity'],
  },
  overHttp('http/param-header-rejection-400', 'Wrong headers of parameters are invalid params.', {
    change: { outgoing: editing(errorFor('header-mcp-param'), withError({ code: errorCode.invalidParams })) },
  }),
  omission('http/param-header-invalid-characters', 'Headers of parameters may hold anything.', [
    'refuse-invalid-param-headers',
  ]),
  omission('http/param-header-null-expectation', 'A header is expected for each annotated parameter.', [
    'expect-no-header-for-nothing',
  ]),
  omission('http/param-header-inspection-decoding', 'Headers of parameters are compared as they stand.', [
    'decode-param-headers',
  ]),
  omission('http/validation-integer-comparison', 'The headers of integers are compared as strings.', [
    'compare-integers-as-numbers',
  ]),
  overHttp('http/header-name-server-case-insensitivity', 'MCP-METHOD is another header than Mcp-Method.', {
    alsoBreaks: ['discover/method-implementation', 'errors/reserved-range-meanings'],
    change: {
      http: {
        gate({ names }) {
          if (!names.includes('MCP-METHOD')) return undefined;
          return {
            status: 400,
            body: { jsonrpc: '2.0', error: { code: errorCode.headerMismatch, message: 'Mcp-Method is missing' } },
            reason: 'header-mcp-method',
          };
        },
      },
    },
  }),
];
