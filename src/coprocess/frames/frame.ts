/** One line of stdin to a request, or to the error that answers it; and what is answered to one line of stdout. */
import type { ErrorObject } from 'ajv';
import { asText, isObject } from '../../core/model/json.ts';
import { jsonFault, numberText, parseExact, plainOf, stringifyExact } from '../../core/trace/importers/exact-json.ts';
import { beyondLimits, decodeUtf8, type JsonLimits } from '../../core/trace/payload.ts';
import { frameValidator } from './frame-validators.ts';
import { codes, FrameError, methods, type Method } from '../protocol.ts';

export interface Frame {
  /** JSON text of the id, as it was written. */
  id: string;
  method: Method;
  /** Numbers that a double does not hold are LosslessNumbers. */
  params: Record<string, unknown>;
}

/** The fault of a line, and the id for the answer. */
export interface Refused {
  id: string;
  error: FrameError;
}

/** Reads the bytes of one line; undefined for a blank one. */
export function readFrame(line: Uint8Array, limits: JsonLimits): Frame | Refused | undefined {
  const { text, invalidUtf8 } = decodeUtf8(line);
  if (text.trim() === '') return undefined;
  if (invalidUtf8) return refused(codes.parse, 'parse error: the line is not UTF-8');
  const excess = beyondLimits(text, limits);
  if (excess !== undefined) return refused(codes.invalidRequest, `invalid request: ${excess}`);
  let exact: unknown;
  try {
    exact = parseExact(text, { spelling: true });
  } catch (error) {
    return refused(codes.parse, `parse error: ${jsonFault(error)}`);
  }
  if (Array.isArray(exact)) return refused(codes.invalidRequest, 'invalid request: a batch; send one request per line');
  if (!isObject(exact)) return refused(codes.invalidRequest, 'invalid request: not a JSON object');
  const id = idText(exact['id']);
  // Held against the schema are the values; an id or argument with more digits is passed on as it was written.
  const plain = plainOf(exact).value as Record<string, unknown>;
  const envelope = frameValidator('request');
  if (!envelope(plain)) return refused(codes.invalidRequest, `invalid request: ${wrong(envelope.errors)}`, id);
  const method = plain['method'] as string;
  if (!isMethod(method))
    return refused(codes.methodNotFound, `method not found: ${JSON.stringify(method.slice(0, 100))}`, id);
  const params = frameValidator(method);
  if (!params(plain['params'] ?? (Object.hasOwn(plain, 'params') ? null : {})))
    return refused(codes.invalidParams, `invalid params of ${method}: ${wrong(params.errors)}`, id);
  return { id, method, params: (exact['params'] ?? {}) as Record<string, unknown> };
}

/** The error for a line that is too long to be read. */
export function tooLong(most: number): Refused {
  return refused(codes.invalidRequest, `invalid request: the line is longer than ${most} bytes`);
}

/** @param result JSON text on one line */
export function resultFrame(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`;
}

export function errorFrame(id: string, { code, message, data }: FrameError): string {
  const rest = data === undefined ? '' : `,"data":${data}`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}${rest}}}\n`;
}

function refused(code: number, message: string, id = 'null'): Refused {
  return { id, error: new FrameError(code, message) };
}

/** Its JSON text; null for what is no id. */
function idText(id: unknown): string {
  if (typeof id === 'string') return stringifyExact(id);
  const digits = numberText(id);
  return digits !== undefined && Number.isInteger(Number(digits)) ? digits : 'null';
}

function isMethod(name: string): name is Method {
  return (methods as readonly string[]).includes(name);
}

/** The first thing that is wrong, in a few words. */
function wrong(errors: readonly ErrorObject[] | null | undefined): string {
  const [first] = errors ?? [];
  if (first === undefined) return 'wrong';
  const { additionalProperty, allowedValues, allowedValue } = first.params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
    allowedValue?: unknown;
  };
  const where = first.instancePath === '' ? '' : `${first.instancePath.slice(1).replaceAll('/', '.')} `;
  if (additionalProperty !== undefined) return `${where}unknown property ${JSON.stringify(additionalProperty)}`;
  if (allowedValues !== undefined) return `${where}must be one of ${allowedValues.map(asText).join(', ')}`;
  if (allowedValue !== undefined) return `${where}must be ${JSON.stringify(allowedValue)}`;
  return `${where}${first.message ?? 'is wrong'}`;
}
