/**
 * Where the layouts differ from the official JSON Schemas on purpose, as changes to those schemas: with them
 * applied, both must agree on everything. "Wider": the TypeScript types, which decide, allow more than the
 * JSON Schema generated from them. "Narrower": a page of the specification says what the types leave open.
 */
import { compareRevisions, isAtLeast } from '../../../src/core/spec/revisions.ts';
import type { Revision } from '../../../src/core/model/rules/requirement.ts';

export interface OfficialDefinition {
  required?: string[];
  properties?: Record<string, OfficialDefinition | boolean>;
  allOf?: OfficialDefinition[];
  $ref?: string;
  [keyword: string]: unknown;
}

export type Definitions = Record<string, OfficialDefinition>;

/** Types that the specification writes in place, or that are needed to tell outcomes apart. */
export const ownTypeNames =
  /(?:Request|Notification)Params$|^(?:CallTool|GetPrompt|ReadResource)Outcome$|^(?:Completion|ResourceItem)$/;

export interface IntendedDifference {
  direction: 'wider' | 'narrower';
  why: string;
  from?: Revision;
  to?: Revision;
  /** Changes the definitions in place; false when there was nothing to change. */
  apply(definitions: Definitions, revision: Revision): boolean;
}

/** Sets the type of a member; `path` leads through properties, `*` through additionalProperties. */
function retype(type: string | string[], ...paths: string[]): IntendedDifference['apply'] {
  return (definitions) =>
    paths
      .map((path) => {
        const [name = '', ...steps] = path.split('.');
        let node = definitions[name] as OfficialDefinition | undefined;
        for (const step of steps)
          node = (step === '*' ? node?.additionalProperties : node?.properties?.[step]) as
            | OfficialDefinition
            | undefined;
        if (!node || node.type === undefined || JSON.stringify(node.type) === JSON.stringify(type)) return false;
        node.type = type;
        return true;
      })
      .some(Boolean);
}

const ref = (name: string, revision: Revision): OfficialDefinition => ({
  $ref: `#/${isAtLeast(revision, '2025-11-25') ? '$defs' : 'definitions'}/${name}`,
});

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    direction: 'wider',
    why: 'Resource.size is a number',
    apply: retype('number', 'Resource.size', 'ResourceLink.size'),
  },
  {
    direction: 'wider',
    why: 'completion.total is a number',
    apply: retype('number', 'CompleteResult.completion.total'),
  },
  {
    direction: 'wider',
    why: 'sampling maxTokens is a number',
    apply: retype('number', 'CreateMessageRequest.params.maxTokens', 'CreateMessageRequestParams.maxTokens'),
  },
  {
    direction: 'wider',
    why: 'bounds in elicitation schemas are numbers',
    from: '2025-06-18',
    apply: retype(
      'number',
      'StringSchema.minLength',
      'StringSchema.maxLength',
      'NumberSchema.minimum',
      'NumberSchema.maximum',
      'NumberSchema.default',
      'UntitledMultiSelectEnumSchema.minItems',
      'UntitledMultiSelectEnumSchema.maxItems',
      'TitledMultiSelectEnumSchema.minItems',
      'TitledMultiSelectEnumSchema.maxItems',
    ),
  },
  {
    direction: 'wider',
    why: 'elicited numbers may be fractions',
    from: '2025-06-18',
    apply: (definitions) => {
      const values = definitions.ElicitResult!.properties!.content as OfficialDefinition;
      const node = values.additionalProperties as OfficialDefinition;
      const scalar = ((node.anyOf as OfficialDefinition[] | undefined) ?? [node]).find((part) =>
        Array.isArray(part.type),
      );
      if (!scalar) return false;
      scalar.type = ['string', 'number', 'boolean'];
      return true;
    },
  },
  {
    direction: 'wider',
    why: 'ttl and pollInterval of tasks are numbers, ttl may be null',
    from: '2025-11-25',
    to: '2025-11-25',
    apply: (definitions) =>
      retype(['number', 'null'], 'Task.ttl')(definitions, '2025-11-25') &&
      retype('number', 'Task.pollInterval', 'TaskMetadata.ttl')(definitions, '2025-11-25'),
  },
  {
    direction: 'wider',
    why: 'a JSON value may be null or a fraction',
    from: '2026-07-28',
    apply: (definitions) => {
      if (Object.keys(definitions.JSONValue ?? {}).length === 0) return false;
      definitions.JSONValue = {};
      return true;
    },
  },
  {
    direction: 'narrower',
    why: 'a notification has no id (page: messages)',
    apply: (definitions) => {
      definitions.JSONRPCNotification!.properties!.id = false;
      for (const [name, definition] of Object.entries(definitions)) {
        // Typed notifications extend the JSON-RPC one from 2025-11-25; there its members are copied into them.
        if (name.endsWith('Notification') && definition.properties?.jsonrpc) definition.properties.id = false;
      }
      return true;
    },
  },
  {
    direction: 'narrower',
    why: 'params._meta of every message is what the base request or notification says of it',
    to: '2025-11-25',
    apply: (definitions, revision) => {
      let changed = false;
      for (const [name, definition] of Object.entries(definitions)) {
        const match = /^\w+(Request|Notification)$/.exec(name);
        const params = definition.properties?.params as OfficialDefinition | undefined;
        if (!match || !params?.properties || params.properties._meta) continue;
        params.properties._meta =
          match[1] === 'Notification'
            ? { type: 'object' }
            : { type: 'object', properties: { progressToken: ref('ProgressToken', revision) } };
        changed = true;
      }
      return changed;
    },
  },
  {
    direction: 'narrower',
    why: 'an InputRequiredResult has the resultType input_required (page: multi round trips)',
    from: '2026-07-28',
    apply: (definitions) => {
      definitions.InputRequiredResult!.properties!.resultType = { const: 'input_required' };
      return true;
    },
  },
  {
    direction: 'narrower',
    why: 'resultType decides which result must fit, and other values belong to extensions',
    from: '2026-07-28',
    apply: (definitions, revision) => {
      for (const name of ['CallTool', 'GetPrompt', 'ReadResource']) {
        const by = (value: string, then: string) => ({
          if: { properties: { resultType: { const: value } }, required: ['resultType'] },
          then: ref(then, revision),
        });
        definitions[`${name}ResultResponse`]!.properties!.result = {
          allOf: [
            ref('Result', revision),
            by('complete', `${name}Result`),
            by('input_required', 'InputRequiredResult'),
          ],
        };
      }
      return true;
    },
  },
];

/** Applies what holds for a revision. @returns the reasons of those that changed something */
export function applyIntendedDifferences(definitions: Definitions, revision: Revision): string[] {
  const holding = intendedDifferences.filter(
    ({ from, to }) => (!from || isAtLeast(revision, from)) && (!to || compareRevisions(revision, to) <= 0),
  );
  return holding.filter((entry) => entry.apply(definitions, revision)).map((entry) => entry.why);
}
