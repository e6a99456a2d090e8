/** Tools' requests to the client, and their handling of useless answers. */
import type { JsonObject } from '../../protocol/json-rpc.ts';
import { isObject } from '../../protocol/json-rpc.ts';
import type { ClientMethod, RequestContext } from '../../session/request-context.ts';
import { MissingCapability } from '../../session/request-context.ts';
import { ClientRefusal } from '../../session/session.ts';
import { text } from './tool.ts';

/** Runs a tool that sends requests; reports an undeclared capability and a refusal as a failure of the tool. */
export async function whileAsking(work: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof MissingCapability) return failure(thrown.message);
    if (thrown instanceof ClientRefusal) return failure(`The client refused: ${thrown.message}`);
    throw thrown;
  }
}

/** Asks one question. */
export function asking(
  context: RequestContext,
  method: ClientMethod,
  params: JsonObject | undefined,
  report: (answer: JsonObject) => string,
): Promise<JsonObject> {
  return whileAsking(async () => {
    const answer = await context.ask('answer', method, params);
    return method === 'sampling/createMessage' && isUseless(answer, context)
      ? failure(uselessSample)
      : text(report(answer));
  });
}

export const uselessSample = "The model's answer is no use: it has content of an unknown type";

const contentTypes: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'tool_use', 'tool_result']);

/** True if a sampled answer has content that this server does not understand. */
export function isUseless({ content }: JsonObject, { host }: RequestContext): boolean {
  return (
    host.keeps('validate-sampled-content') &&
    [content].flat().some((block) => !isObject(block) || !contentTypes.has(block.type))
  );
}

/** Has the user fill in a form; what does not fit it is refused. */
export function askingForm(
  context: RequestContext,
  message: string,
  requestedSchema: JsonObject,
  report: (answer: JsonObject) => string = reported,
): Promise<JsonObject> {
  return whileAsking(async () => {
    const answer = await context.ask('answer', 'elicitation/create', { message, requestedSchema });
    const given = answer.action === 'accept' && context.host.keeps('validate-elicited-content');
    const fault = given ? formFault(requestedSchema, answer.content) : undefined;
    return fault === undefined ? text(report(answer)) : failure(`The answer is no use: ${fault}`);
  });
}

function reported({ action, content }: JsonObject): string {
  return action === 'accept' ? `The user said: ${JSON.stringify(content)}` : `The user chose: ${String(action)}`;
}

export function failure(message: string): JsonObject {
  return { ...text(message), isError: true };
}

/** Fault in the content of a form, or undefined. */
function formFault({ properties, required }: JsonObject, content: unknown): string | undefined {
  const given = isObject(content) ? content : {};
  for (const name of (required ?? []) as string[]) if (given[name] === undefined) return `${name} is missing`;
  for (const [name, schema] of Object.entries(properties as Record<string, JsonObject>)) {
    const value = given[name];
    if (value !== undefined && !fits(schema, value)) return `${name} does not fit`;
  }
  return undefined;
}

/** The values of an enumeration, with titles or without. */
function choicesOf({ enum: plain, oneOf, anyOf }: JsonObject): unknown[] | undefined {
  const titled = (oneOf ?? anyOf) as JsonObject[] | undefined;
  return (plain as unknown[] | undefined) ?? titled?.map((one) => one.const);
}

function fits(schema: JsonObject, value: unknown): boolean {
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.includes(value);
  switch (schema.type) {
    case 'array':
      return Array.isArray(value) && value.every((one) => fits(schema.items as JsonObject, one));
    case 'integer':
    case 'number': {
      const whole = schema.type === 'number' || Number.isInteger(value);
      return (
        typeof value === 'number' &&
        whole &&
        value >= Number(schema.minimum ?? -Infinity) &&
        value <= Number(schema.maximum ?? Infinity)
      );
    }
    default:
      return typeof value === schema.type;
  }
}
