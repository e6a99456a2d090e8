/** Mutations of the stdio framing. */
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { from, mutation, stdioOnly } from '../mutation.ts';
import type { Mutation } from '../mutation.ts';

const newline = Buffer.from('\n');

/** The unasked log message of a new session: nothing waits for it. */
function isReadyNotice(message: unknown): boolean {
  return isObject(message) && isObject(message.params) && message.params.logger === 'session';
}

/** A line seam that frames that one message otherwise. */
function framing(frame: (body: Buffer, message: unknown) => Buffer): (body: Buffer, message: unknown) => Buffer {
  return (body, message) => (isReadyNotice(message) ? frame(body, message) : Buffer.concat([body, newline]));
}

export const stdioMutations: readonly Mutation[] = [
  mutation({
    rule: 'stdio/stream-server-io',
    transports: stdioOnly,
    description: 'All messages go to stderr.',
    alsoBreaks: ['*'],
    change: { stdio: { output: 'stderr' } },
  }),
  mutation({
    rule: 'stdio/framing-newline-delimiter',
    transports: stdioOnly,
    description: 'Two messages share one line.',
    alsoBreaks: ['stdio/stdout-purity', 'stdio/framing-single-message', 'jsonrpc/message-form'],
    change: { stdio: { line: framing((body) => body) } },
  }),
  mutation({
    rule: 'stdio/framing-newline-delimiter',
    id: 'stdio/framing-newline-delimiter@headers',
    transports: stdioOnly,
    description: 'A message is preceded by a Content-Length header.',
    alsoBreaks: ['stdio/stdout-purity', 'stdio/framing-embedded-newline', 'jsonrpc/message-form'],
    change: {
      stdio: {
        line: framing((body) => Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body, newline])),
      },
    },
  }),
  mutation({
    rule: 'stdio/framing-embedded-newline',
    transports: stdioOnly,
    description: 'A message is printed over several lines.',
    alsoBreaks: ['stdio/stdout-purity', 'stdio/framing-newline-delimiter', 'jsonrpc/message-form'],
    change: { stdio: { line: framing((_body, message) => Buffer.from(`${JSON.stringify(message, null, 2)}\n`)) } },
  }),
  mutation({
    rule: 'stdio/framing-single-message',
    transports: stdioOnly,
    revisions: from('2025-06-18'),
    description: 'A message is written as an array of one.',
    alsoBreaks: ['stdio/stdout-purity', 'versioning/negotiated-adherence', 'jsonrpc/message-form'],
    change: { stdio: { line: framing((body) => Buffer.concat([Buffer.from('['), body, Buffer.from(']\n')])) } },
  }),
  mutation({
    rule: 'stdio/stdout-purity',
    transports: stdioOnly,
    revisions: [...from('2024-11-05'), '2026-07-28'],
    description: 'A banner is printed on stdout.',
    change: { stdio: { banner: 'Reference server 1.0.0 is ready\n' } },
  }),
];
