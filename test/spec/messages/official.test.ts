/**
 * Compares the layouts with the official JSON Schemas where these lie beside the project: names, required
 * members, and the verdict on every message of the corpora and on all its small changes. What differs on
 * purpose is listed in intended-differences.ts. Elsewhere the corpora alone decide.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Revision } from '../../../src/core/model/rules/requirement.ts';
import { compileValidators } from '../../../src/core/spec/messages/compile-validators.ts';
import { readLayout } from '../../../src/files/package/message-files.ts';
import type { MessageLayout } from '../../../src/core/spec/messages/message-layout.ts';
import { expandMessageSchema, methodInfos } from '../../../src/core/spec/messages/message-schema.ts';
import { createMessageValidators } from '../../../src/core/spec/messages/message-validator.ts';
import { isAtLeast, revisions } from '../../../src/core/spec/revisions.ts';
import { someOf } from '../../support/run/some-of.ts';
import { readCorpus } from './corpus.ts';
import {
  applyIntendedDifferences,
  intendedDifferences,
  ownTypeNames,
  type Definitions,
  type OfficialDefinition,
} from './intended-differences.ts';
import { mutationsOf } from './mutations.ts';

const folder = fileURLToPath(new URL('../../../../shared/spec-schemas', import.meta.url));
const corpus = [...readCorpus('accept'), ...readCorpus('reject')];

function readOfficial(revision: Revision): {
  schema: Record<string, unknown>;
  key: '$defs' | 'definitions';
  definitions: Definitions;
} {
  const schema = JSON.parse(readFileSync(`${folder}/${revision}.json`, 'utf8'));
  const key = isAtLeast(revision, '2025-11-25') ? '$defs' : 'definitions';
  return { schema, key, definitions: schema[key] };
}

/** Members and required members with what allOf adds. */
function flatten(definition: OfficialDefinition, all: Definitions): { required: Set<string>; members: Set<string> } {
  const required = new Set(definition.required);
  const members = new Set(Object.keys(definition.properties ?? {}));
  for (const part of definition.allOf ?? []) {
    const inner = flatten(part.$ref ? all[part.$ref.split('/').pop()!]! : part, all);
    inner.required.forEach((name) => required.add(name));
    inner.members.forEach((name) => members.add(name));
  }
  return { required, members };
}

describe.runIf(existsSync(folder)).each(someOf(revisions, 3, (revision) => `official ${revision}`))(
  '%s beside the official schema',
  (revision) => {
    let layout: MessageLayout;
    beforeAll(async () => {
      layout = await readLayout(revision);
    });

    it('has the same types', () => {
      const official = Object.keys(readOfficial(revision).definitions);
      expect(official.filter((name) => !layout.types.has(name))).toEqual([]);
      const own = [...layout.types.keys()].filter((name) => !official.includes(name));
      expect(own.filter((name) => !ownTypeNames.test(name))).toEqual([]);
    });

    it('has the same members, and requires the same', () => {
      const $defs = expandMessageSchema(layout).$defs as Definitions;
      const { definitions } = readOfficial(revision);
      applyIntendedDifferences(definitions, revision);
      const differences: string[] = [];
      for (const [name, definition] of Object.entries(definitions)) {
        const theirs = flatten(definition, definitions);
        const ours = flatten($defs[name]!, $defs);
        // Unions and aliases list no members of their own on one of the two sides.
        if (theirs.members.size === 0 || '$ref' in $defs[name]!) continue;
        for (const member of theirs.members)
          if (!ours.members.has(member)) differences.push(`${name}.${member} is not here`);
        for (const member of ours.members)
          if (!theirs.members.has(member)) differences.push(`${name}.${member} is only here`);
        for (const member of theirs.required)
          if (!ours.required.has(member)) differences.push(`${name}.${member} is optional here`);
        for (const member of ours.required)
          if (!theirs.required.has(member)) differences.push(`${name}.${member} is required here`);
      }
      expect(differences).toEqual([]);
    });

    it('agrees on the corpora and their small changes', () => {
      const ours = createMessageValidators(revision, compileValidators(layout), methodInfos(layout));
      const { schema, key, definitions } = readOfficial(revision);
      applyIntendedDifferences(definitions, revision);
      const options = { strict: false, validateFormats: false };
      const ajv = key === '$defs' ? new Ajv2020(options) : new Ajv(options);
      ajv.addSchema(schema, 'official');
      const disagreements: string[] = [];
      let compared = 0;
      for (const item of corpus) {
        if (!item.revisions.includes(revision) || !(item.type in definitions)) continue;
        const theirs = ajv.getSchema(`official#/${key}/${item.type}`)!;
        for (const mutation of [{ path: '', change: 'as it is', value: item.value }, ...mutationsOf(item.value)]) {
          compared += 1;
          const findings = ours.validate(item.type, mutation.value).filter((finding) => finding.kind === 'shape');
          if (theirs(mutation.value) === (findings.length === 0)) continue;
          const errors = theirs.errors?.map((error) => `${error.instancePath} ${error.message}`).join('; ');
          disagreements.push(
            `${item.type} ${mutation.path} ${mutation.change}: ${errors === undefined ? `refused, ${findings[0]?.path} ${findings[0]?.message}` : `accepted, against ${errors}`}`,
          );
        }
      }
      expect(compared).toBeGreaterThan(3000);
      expect(disagreements).toEqual([]);
    });
  },
);

describe.runIf(existsSync(folder))('the list of intended differences', () => {
  it('holds nothing that changes nothing', () => {
    const used = new Set(
      revisions.flatMap((revision) => applyIntendedDifferences(readOfficial(revision).definitions, revision)),
    );
    expect(intendedDifferences.map((entry) => entry.why).filter((why) => !used.has(why))).toEqual([]);
  });
});
