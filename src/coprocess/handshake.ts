/** Compares the protocol version of the SDK with ours. */
import { numberText } from '../core/trace/importers/exact-json.ts';
import { codes, COPROCESS_PROTOCOL_VERSION, FrameError } from './protocol.ts';

/**
 * @param params of the handshake, which fit their schema
 * @returns JSON text of the result
 * @throws FrameError invalid params for another version, saying which side to upgrade
 */
export function handshakeResult(params: Record<string, unknown>, binaryVersion: string): string {
  const digits = numberText(params['protocol_version']) ?? '';
  const version = Number(digits);
  if (version === COPROCESS_PROTOCOL_VERSION)
    return JSON.stringify({ protocol_version: COPROCESS_PROTOCOL_VERSION, binary_version: binaryVersion });
  const { sdk, sdk_version: sdkVersion } = params as { sdk?: string; sdk_version?: string };
  const family = sdk === undefined ? 'the SDK' : `the ${sdk} SDK`;
  const named = sdkVersion === undefined ? family : `${family} ${sdkVersion}`;
  const remedy =
    version > COPROCESS_PROTOCOL_VERSION
      ? 'Upgrade the mcpc binary (or pin the SDK to the matching release).'
      : `Upgrade ${family} (or pin the mcpc binary to the matching release).`;
  throw new FrameError(
    codes.invalidParams,
    `coprocess protocol version mismatch: this mcpc binary speaks v${COPROCESS_PROTOCOL_VERSION}, ${named} sent v${digits}. ${remedy}`,
  );
}
