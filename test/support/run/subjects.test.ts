/** The form of commit subjects that `.ci/run` asks for. */
import { expect, test } from 'vitest';
import { faultOf } from './subjects.ts';

test.each(['redact: scan for credentials in linear time', 'src/core: move facts', 'ci: check subjects'])(
  '%s is right',
  (subject) => expect(faultOf(subject)).toBeUndefined(),
);

test.each([
  ['Servers that end sessions are judged', 'not of the form'],
  ['check: ask again; report what was asked', 'two changes'],
  [`report: ${'x'.repeat(70)}`, '78 characters, of 72'],
])('%s is refused', (subject, fault) => expect(faultOf(subject)).toContain(fault));
