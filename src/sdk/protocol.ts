/** The SDK's part of the coprocess protocol. It imports nothing of mcpc: any binary that speaks v2 will do. */

/** The version that this SDK speaks; mcpc has the same number, and a test holds them equal. */
export const COPROCESS_PROTOCOL_VERSION = 2;

/** One line of the protocol, as it was received. */
export type Frame = Readonly<Record<string, unknown>>;

export const upstreamCode = -32000;
export const upstreamGoneCode = -32001;
export const methodNotFoundCode = -32601;

const envelope: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result', 'error']);
const errorMembers: ReadonlySet<string> = new Set(['code', 'message', 'data']);

/** The fault of a response to the request with the id; undefined for a sound one. */
export function envelopeFault(frame: Frame, id: number): string | undefined {
  const more = Object.keys(frame).find((name) => !envelope.has(name));
  if (more !== undefined) return `the response has an unknown property "${more}"`;
  if (frame['jsonrpc'] !== '2.0') return `the response says jsonrpc ${JSON.stringify(frame['jsonrpc'])}, not "2.0"`;
  if (frame['id'] !== id) return `the response has id ${JSON.stringify(frame['id'])}, not ${id}`;
  const [result, error] = [Object.hasOwn(frame, 'result'), Object.hasOwn(frame, 'error')];
  if (result === error)
    return `the response has ${result ? 'both' : 'neither'} result and error`.replace(
      'neither result and',
      'neither result nor',
    );
  return error ? errorFault(frame['error']) : undefined;
}

function errorFault(error: unknown): string | undefined {
  if (!isObject(error)) return 'error is no object';
  const more = Object.keys(error).find((name) => !errorMembers.has(name));
  if (more !== undefined) return `error has an unknown property "${more}"`;
  if (!Number.isInteger(error['code'])) return 'error.code is no whole number';
  return typeof error['message'] === 'string' ? undefined : 'error.message is no text';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
