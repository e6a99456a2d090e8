/**
 * Clients of both SDKs get from a recording what they got live, message by message apart from ids and times, and the
 * replayed conversation is judged like the live one. `npm run replay:clients` prints the figures, also for
 * the Inspector and for other servers. Needs the build.
 */
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';
import { sdkClients } from './fidelity/clients.ts';
import { measure } from './fidelity/measure.ts';
import { subjects } from './fidelity/subjects.ts';

const work = new Workspace();

/** Of each transport and each client one case in every run. */
const always = new Set(['memory-stdio SDK 1', 'example-http SDK 2']);
/** Servers that answer alike under load too; the script measures the others. */
const steady = new Set([
  'commands-stdio',
  'everything-http',
  'example-http',
  'example-stdio',
  'filesystem-stdio',
  'memory-stdio',
]);

const cases = subjects
  .filter(({ name }) => steady.has(name))
  .flatMap((subject) => sdkClients.map((client) => ({ name: `${subject.name} ${client.name}`, subject, client })));

test.each(cases.filter(({ name }) => thorough || always.has(name)))(
  '$name',
  async ({ subject, client }) => {
    const found = await measure(subject, client, work.folder);
    expect(found.apart).toBe(undefined);
    expect(found.differences).toEqual([]);
    expect(found.verdicts).toEqual([]);
    expect([found.messages > 10, found.decided > 20]).toEqual([true, true]);
  },
  240_000,
);
