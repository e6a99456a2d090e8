/** Members of a server in a suite file, from what they were read to. Pure. */
import type { ClientFeatures } from '../../language/model.ts';

/** The member `client_capabilities`. */
export function clientFeatures({ roots, sampling, elicitation }: ClientFeatures): Record<string, unknown> {
  return {
    roots,
    ...(sampling === undefined
      ? {}
      : {
          sampling: {
            text: sampling.text,
            model: sampling.model,
            stop_reason: sampling.stopReason,
            tools: sampling.tools,
          },
        }),
    ...(elicitation === undefined
      ? {}
      : {
          elicitation: {
            action: elicitation.action,
            content: elicitation.content,
            ...(elicitation.url === undefined ? {} : { url: { action: elicitation.url } }),
          },
        }),
  };
}
