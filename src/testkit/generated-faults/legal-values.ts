/**
 * Rare but legal values at a place of a message: an unknown member, an optional member left out or null where any value
 * is allowed, text that is empty, long or of another script. A place is listed here only where no sentence of the
 * specification says more of it than its schema does.
 */
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Carrier } from './carriers.ts';
import { isDemanded } from './requirements-of.ts';
import { resolved } from './shapes.ts';
import type { Spot } from './walk.ts';

interface LegalValue {
  word: string;
  value: unknown;
  /** The value is that of a further member of the object there. */
  member?: string;
}

/** Members for human readers: any text is valid, and none as well. */
const free = new Set([
  'description',
  'title',
  'instructions',
  'message',
  'reason',
  'logger',
  'version',
  'systemPrompt',
  'stopReason',
]);

/** Optional members whose absence contradicts no other message. */
const dispensable = new Set([
  'description',
  'title',
  'instructions',
  'reason',
  'logger',
  'icons',
  'annotations',
  'mimeType',
  'size',
  'total',
  'hasMore',
  'websiteUrl',
  'pollInterval',
  'modelPreferences',
  'systemPrompt',
  'temperature',
  'stopSequences',
  'metadata',
]);

/** Parts that may be added to what a server sends without promising anything. */
const describing = new Set(['annotations', 'icons', '_meta']);

/** Their meaning is defined member by member: an unknown one is not only a matter of their schema. */
const closed = new Set([
  'StringSchema',
  'NumberSchema',
  'BooleanSchema',
  'PrimitiveSchemaDefinition',
  'EnumSchema',
  'InputRequests',
  'SubscriptionFilter',
]);

/** Results that the pages call empty. */
const empty = new Set(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

const long = 'A sentence that goes on. '.repeat(120).trim();
/** Titles stay below the length up to which a list of them can be read; the rules of the tool surface advise so. */
const longTitle = 'A title that goes on. '.repeat(11).trim();
const scripts = 'Größe, 名前, 🧭, עברית';

export function legalValuesAt(layout: MessageLayout, { method, kind }: Carrier, spot: Spot): LegalValue[] {
  // A part that is set as a whole says something new of the server, unless it only describes.
  if (
    spot.holder &&
    spot.holder.at.length > 0 &&
    !describing.has(spot.holder.path.slice(spot.holder.path.lastIndexOf('.') + 1))
  )
    return [];
  const { shape, names } = resolved(layout, spot.shape);
  const member = lastMember(spot);
  const values: LegalValue[] = shape.kind === 'any' ? anyValues(member, method) : [];
  if (shape.kind === 'object' && !isClosed(spot, names) && !(kind === 'result' && empty.has(method)))
    values.push({ word: 'extra-member', member: 'x-extra', value: member === 'properties' ? {} : { note: scripts } });
  if (
    shape.kind === 'scalar' &&
    shape.type === 'string' &&
    shape.format === undefined &&
    free.has(member) &&
    !isReserved(spot)
  ) {
    values.push(
      { word: 'empty', value: '' },
      { word: 'long', value: member === 'title' ? longTitle : long },
      { word: 'scripts', value: scripts },
    );
  }
  if (spot.optional && spot.holder === undefined && dispensable.has(member) && !isDemanded(spot, method))
    values.push({ word: 'absent', value: undefined });
  return values;
}

function lastMember({ name }: Spot): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function isClosed({ owners, name }: Spot, names: readonly string[]): boolean {
  const types = [...names, ...owners.flatMap(({ types: outer }) => outer)];
  return (
    types.some((type) => closed.has(type)) ||
    name.includes('requestedSchema') ||
    name.includes('.*') ||
    name.includes('outputSchema') ||
    name.includes('structuredContent')
  );
}

/** The version that a client compares, and the message that a user is asked by. */
function isReserved({ name, owners }: Spot): boolean {
  return (
    name.includes('requestedSchema') || owners.some(({ types }) => types.some((type) => type.startsWith('Elicit')))
  );
}

/** Data of a log message and of errors; what a tool gives as structured content has a schema of its own. */
function anyValues(member: string, method: string): LegalValue[] {
  if (member !== 'data' || method !== 'notifications/message') return [];
  return [
    ['null', null],
    ['number', 0],
    ['boolean', false],
    ['text', ''],
    ['array', []],
    ['object', {}],
  ].map(([word, value]) => ({ word: `any-${word as string}`, value }));
}
