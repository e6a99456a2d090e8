/** The member `matrix` of a suite file: on which servers, transports, revisions and versions of node its cases are run. */
import type { JsonSchema } from '../expectation.ts';
import { textSchema } from '../expectation.ts';
import type { ServerBlock } from '../model.ts';
import { readServer } from './assert-form.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import type { Part } from '../part.ts';
import type { Problem } from '../yaml-source.ts';

/** A server of a matrix: as a file describes it, or a package that is installed. */
export interface MatrixServer {
  block: ServerBlock;
  /** As `my-server@1.4.0`; the arguments of the block are its own. */
  npm?: string;
  /** Words that start the server over HTTP at the address of the block; {{port}} in both is a free port. */
  serve?: readonly string[];
}

export interface MatrixBlock {
  /** By name. */
  servers: Map<string, MatrixServer>;
  transports: string[];
  specs: string[];
  nodes: string[];
}

const list = (description: string): JsonSchema => ({ type: 'array', items: textSchema, minItems: 1, description });

export const matrixSchema: JsonSchema = {
  type: 'object',
  description: 'For mcpc matrix: the cases are run once for each combination.',
  properties: {
    servers: {
      type: 'object',
      description: 'Servers by name.',
      additionalProperties: {
        anyOf: [
          { $ref: '#/$defs/server' },
          {
            type: 'object',
            properties: {
              serve: {
                type: 'array',
                items: textSchema,
                minItems: 1,
                description:
                  'Command that starts the server over HTTP for a column; {{port}} in it and in `url` is a free port.',
              },
              url: textSchema,
              transport: textSchema,
              command: textSchema,
              args: { type: 'array', items: textSchema },
              npm: textSchema,
              env: { type: 'object', additionalProperties: textSchema },
              headers: { type: 'object', additionalProperties: textSchema },
              cwd: textSchema,
            },
            required: ['serve', 'url'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: {
              npm: { type: 'string' },
              args: { type: 'array', items: textSchema },
              env: { type: 'object', additionalProperties: textSchema },
            },
            required: ['npm'],
            additionalProperties: false,
          },
        ],
      },
    },
    transports: list('stdio, http or sse.'),
    spec: list('Revisions of the specification.'),
    node: list('Versions of node that start the servers, as 22.'),
  },
  additionalProperties: false,
};

/** Required form of the values of each list. */
const values: Record<'transports' | 'spec' | 'node', { fits(text: string): boolean; wanted: string }> = {
  transports: {
    fits: (text) => ['stdio', 'http', 'sse'].includes(text),
    wanted: 'is no transport; use stdio, http or sse',
  },
  spec: { fits: isKnownRevision, wanted: `is no revision; use some of ${revisions.join(', ')}` },
  node: { fits: (text) => /^v?\d+(?:\.\d+){0,2}$/.test(text), wanted: 'is no version of node; write 22 or 22.12.0' },
};

/** @param problems is called for values that a column cannot have */
export function readMatrix(part: Part, problems: Problem[]): MatrixBlock {
  const texts = (name: keyof typeof values): string[] =>
    part
      .at(name)
      .items()
      .map((item) => {
        const text = item.text() ?? '';
        if (!values[name].fits(text))
          problems.push({
            ...item.place,
            text: `matrix.${name}: ${JSON.stringify(text)} ${values[name].wanted}`,
            severity: 'error',
          });
        return text;
      });
  const servers = part
    .at('servers')
    .members()
    .flatMap(([name, one]): [string, MatrixServer][] => {
      const block = readServer(one, 'http');
      const npm = one.at('npm').text();
      const serve = one
        .at('serve')
        .items()
        .map((word) => word.text() ?? '');
      return block === undefined ? [] : [[name, { block, npm, ...(serve.length === 0 ? {} : { serve }) }]];
    });
  return { servers: new Map(servers), transports: texts('transports'), specs: texts('spec'), nodes: texts('node') };
}

/** Settings of several files, in their order; of servers with one name the last counts. */
export function joinMatrices(all: readonly MatrixBlock[]): MatrixBlock {
  const unique = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
  return {
    servers: new Map(all.flatMap(({ servers }) => [...servers])),
    transports: unique(all.map(({ transports }) => transports)),
    specs: unique(all.map(({ specs }) => specs)),
    nodes: unique(all.map(({ nodes }) => nodes)),
  };
}
