/**
 * Every message of the corpora is accepted, or refused at exactly the paths named, by built and by fresh validators:
 * at a third of the revisions in `npm test`; at all of them with --mode all.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileValidators } from '../../../src/core/spec/messages/compile-validators.ts';
import type { ValidatorModule } from '../../../src/files/package/load-validators.ts';
import { layoutDigest, readLayout, validatorFile } from '../../../src/files/package/message-files.ts';
import { methodInfos } from '../../../src/core/spec/messages/message-schema.ts';
import { createMessageValidators, type MessageValidators } from '../../../src/core/spec/messages/message-validator.ts';
import { revisions } from '../../../src/core/spec/revisions.ts';
import { buildValidators } from '../../../src/tools/build-validators.ts';
import { someOf } from '../../support/run/some-of.ts';
import { readCorpus } from './corpus.ts';

const accept = readCorpus('accept');
const reject = readCorpus('reject');

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpc-validators-'));
  await buildValidators(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(someOf(revisions, 3, (revision) => `corpus ${revision}`))('messages of %s', (revision) => {
  const variants = new Map<string, MessageValidators>();

  beforeAll(async () => {
    const layout = await readLayout(revision);
    variants.set('compiled', createMessageValidators(revision, compileValidators(layout), methodInfos(layout)));
    const built = (await import(pathToFileURL(validatorFile(revision, folder)).href)) as ValidatorModule;
    expect(built.source).toBe(layoutDigest(layout));
    variants.set('built', createMessageValidators(revision, built.validators, built.methods));
    expect(built.methods).toEqual(variants.get('compiled')?.methods);
  });

  describe.each(['compiled', 'built'])('%s', (variant) => {
    it.each(accept.filter((item) => item.revisions.includes(revision)))(
      'accepts line $line, a $type',
      ({ type, value }) => {
        expect(variants.get(variant)!.validate(type, value)).toEqual([]);
      },
    );

    it.each(reject.filter((item) => item.revisions.includes(revision)))(
      'refuses line $line, a $type',
      ({ type, value, paths, message }) => {
        const findings = variants.get(variant)!.validate(type, value);
        expect(findings.map((finding) => finding.path).sort()).toEqual([...paths].sort());
        if (message !== undefined) expect(findings[0]?.message).toBe(message);
      },
    );
  });
});
