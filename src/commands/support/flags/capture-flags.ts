/** Flags of the commands that read captures. */
import { Flags } from '@oclif/core';
import { captureFormatOf, knownFormats, type CaptureFormat } from '../../../app/capture/capture-formats.ts';
import type { WireChoice } from '../../../app/capture/open-capture.ts';

const group = 'CAPTURE';

/** A flag that takes the name of a format; unknown ones are told with all that there are. */
export function formatFlag(summary: string) {
  return Flags.custom({ summary, helpGroup: group, helpValue: 'FORMAT', parse: async (input: string) => captureFormatOf(input) })();
}

export const formatList = knownFormats.join(', ');

export const captureFlags = {
  transport: Flags.option({ summary: 'Transport that was captured, where the format does not tell.', helpGroup: group, options: ['stdio', 'http', 'sse'] as const })(),
  spec: Flags.string({ summary: 'Revision that was spoken, where the capture begins after the handshake.', helpGroup: group, helpValue: '2025-06-18' }),
  'strict-ids': Flags.boolean({ summary: 'Refuse what a strict reading refuses: ids of other types, messages of another shape, members that come twice.', helpGroup: group }),
  'keep-secrets': Flags.boolean({ summary: 'Take no secrets out of what is written.', helpGroup: group }),
};

interface CaptureFlagValues {
  from?: CaptureFormat | undefined;
  transport?: WireChoice['transport'];
  spec?: string | undefined;
  'strict-ids': boolean;
  'keep-secrets': boolean;
}

/** How the flags say that a capture is to be read. */
export function wireChoice(flags: CaptureFlagValues): WireChoice {
  return { format: flags.from, transport: flags.transport, revision: flags.spec, strict: flags['strict-ids'], keepSecrets: flags['keep-secrets'] };
}
