/** Flags of the commands that read captures. */
import { Flags } from '@oclif/core';
import { captureFormatOf, knownFormats, type CaptureFormat } from '../../../capture/capture-formats.ts';
import type { WireChoice } from '../../../capture/open-capture.ts';

const group = 'CAPTURE';

/** The flag --from, which takes the name of a capture format; an unknown one is an error that lists all. */
export function formatFlag(summary: string, aliases: string[] = []) {
  return Flags.custom({
    summary,
    aliases,
    helpGroup: group,
    helpValue: 'FORMAT',
    parse: async (input: string) => captureFormatOf(input),
  })();
}

export const formatList = knownFormats.join(', ');

export const captureFlags = {
  transport: Flags.option({
    summary: 'Transport of the captured conversation, if the format does not record it.',
    helpGroup: group,
    options: ['stdio', 'http', 'sse'] as const,
  })(),
  spec: Flags.string({
    summary: 'Negotiated revision, if the capture begins after the handshake.',
    helpGroup: group,
    helpValue: '2025-06-18',
  }),
  'strict-ids': Flags.boolean({
    summary: 'Reject ids that are neither strings nor numbers, malformed messages and duplicate keys.',
    helpGroup: group,
  }),
  'keep-secrets': Flags.boolean({ summary: 'Do not redact secrets in the output.', helpGroup: group }),
};

interface CaptureFlagValues {
  from?: CaptureFormat | undefined;
  transport?: WireChoice['transport'];
  spec?: string | undefined;
  'strict-ids': boolean;
  'keep-secrets': boolean;
}

/** Flags for reading a capture. */
export function wireChoice(flags: CaptureFlagValues): WireChoice {
  return {
    format: flags.from,
    transport: flags.transport,
    revision: flags.spec,
    strict: flags['strict-ids'],
    keepSecrets: flags['keep-secrets'],
  };
}
