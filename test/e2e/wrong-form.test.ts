/**
 * Servers that answer, but not in MCP's form: each gets a report in which the rule that names the fault fails and cites
 * the bytes, and no rule that has nothing to do with it. What never sends JSON-RPC is no server to judge: the check ends
 * with an error that shows what came. Some of them in a run, by turns; all of them with --mode all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../src/report/parts/render.ts';
import { exitVerdict } from '../../src/core/score/exit-policy.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { freePort } from '../support/free-port.ts';
import { someOf } from '../support/run/some-of.ts';
import { McpcError } from '../../src/core/model/errors.ts';
import { check, evidenceText, rulesWith, verdictOf, type Checked } from './run-check.ts';

const script = fileURLToPath(new URL('servers/wrong-form-server.mjs', import.meta.url));
type Transport = 'stdio' | 'http' | 'sse' | 'auto';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-form-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param transport `auto`: the address of the event stream, of which the checker has to find out what it speaks */
async function checkForm(transport: Transport, form: string): Promise<Checked> {
  const common = {
    name: form,
    traceFile: path.join(folder, `${transport}-${form}.jsonl`),
    jobs: 2,
    mostJobs: 2,
    timing: { startMs: 10_000 },
  };
  if (transport === 'stdio')
    return check({ ...common, target: { kind: 'stdio', command: process.execPath, args: [script, form] } });
  const port = await freePort();
  return check({
    ...common,
    fallback: transport === 'auto',
    target: {
      kind: transport === 'sse' ? 'sse' : 'http',
      url: `http://127.0.0.1:${port}/${transport === 'http' ? 'mcp' : 'sse'}`,
      headers: [],
    },
    serve: { command: process.execPath, args: [script, form, String(port)], port },
  });
}

interface Form {
  on: Transport[];
  form: string;
  /** The rule that names the fault; absent where no requirement does, so that the report tells what came and fails nothing. */
  fails?: string;
  /** Others that may fail for it. */
  also?: string[];
  /** What its evidence shows; without a rule, what the trace does. */
  shows: RegExp;
  /** How the report tells that nothing more was asked, or that messages were read leniently; absent for a run that is whole. */
  ends?: RegExp;
}

const unanswered = ['jsonrpc/base-lifecycle-support', 'stdio/stream-server-io'];
const readAnyway = /read (?:as messages )?all the same/;
const takenFor = /it was taken as 2025-11-25/;
const noStream = /gives no HTTP\+SSE event stream/;

const forms: Form[] = [
  {
    on: ['stdio'],
    form: 'content-length',
    fails: 'stdio/framing-newline-delimiter',
    also: ['stdio/stdout-purity'],
    shows: /Content-Length: 1/,
    ends: readAnyway,
  },
  {
    on: ['stdio'],
    form: 'several-lines',
    fails: 'stdio/framing-embedded-newline',
    also: ['stdio/stdout-purity'],
    shows: /"protocolVersion/,
    ends: readAnyway,
  },
  {
    on: ['stdio'],
    form: 'no-newline',
    fails: 'stdio/framing-newline-delimiter',
    also: ['stdio/stdout-purity'],
    shows: /"readAs":"unfinished"/,
    ends: readAnyway,
  },
  { on: ['stdio'], form: 'behind-a-prefix', fails: 'stdio/stdout-purity', shows: /\[send\] \{/, ends: readAnyway },
  { on: ['stdio'], form: 'logs-and-messages', fails: 'stdio/stdout-purity', shows: /handling a request/ },
  {
    on: ['stdio', 'http', 'sse'],
    form: 'id-as-text',
    fails: 'jsonrpc/response-result-id',
    shows: /"id":"1"/,
    ends: /answer/,
  },
  { on: ['stdio'], form: 'id-null', fails: 'jsonrpc/response-result-id', shows: /"id":null/, ends: /did not answer/ },
  {
    on: ['stdio'],
    form: 'id-of-another',
    fails: 'jsonrpc/response-result-id',
    shows: /"id":4711/,
    ends: /did not answer/,
  },
  { on: ['stdio'], form: 'id-none', fails: 'jsonrpc/response-result-id', shows: /"result"/, ends: /did not answer/ },
  {
    on: ['stdio', 'http', 'sse'],
    form: 'version-latest',
    fails: 'lifecycle/initialization-server-result',
    shows: /"latest"/,
    ends: takenFor,
  },
  {
    on: ['stdio', 'http'],
    form: 'version-number',
    fails: 'lifecycle/initialization-server-result',
    shows: /20251125/,
    ends: takenFor,
  },
  {
    on: ['stdio'],
    form: 'version-none',
    fails: 'lifecycle/initialization-server-result',
    shows: /"capabilities"/,
    ends: takenFor,
  },
  {
    on: ['stdio', 'http'],
    form: 'neither',
    fails: 'jsonrpc/response-payload-presence',
    also: ['jsonrpc/base-lifecycle-support'],
    shows: /"id":1\}/,
    ends: /neither a result nor an error/,
  },
  { on: ['http'], form: 'text-plain', fails: 'http/post-response-type', shows: /text\/plain/, ends: readAnyway },
  { on: ['http'], form: 'no-media-type', fails: 'http/post-response-type', shows: /"readAs":"body"/, ends: readAnyway },
  {
    on: ['http'],
    form: 'events-as-json',
    fails: 'http/post-response-type',
    also: unanswered,
    shows: /event: message/,
    ends: /no JSON-RPC response/,
  },
  {
    on: ['http'],
    form: 'json-as-events',
    fails: 'jsonrpc/base-lifecycle-support',
    also: ['http/sse-response-delivery'],
    shows: /within an event/,
    ends: /no JSON-RPC response/,
  },
  {
    on: ['sse'],
    form: 'endpoint-of-another-name',
    fails: 'sse-legacy/endpoint-event',
    shows: /"event":"url"/,
    ends: noStream,
  },
  {
    on: ['sse'],
    form: 'endpoint-as-json',
    fails: 'sse-legacy/endpoint-event',
    also: ['sse-legacy/endpoint-pair'],
    shows: /uri/,
    ends: /HTTP status 404/,
  },
  {
    on: ['sse'],
    form: 'endpoint-none',
    fails: 'sse-legacy/endpoint-event',
    shows: /no endpoint event/,
    ends: noStream,
  },
  { on: ['sse'], form: 'answers-in-post', fails: 'sse-legacy/message-event-type', shows: /"result"/, ends: readAnyway },
  {
    on: ['sse'],
    form: 'event-of-another-name',
    fails: 'sse-legacy/message-event-type',
    shows: /"event":"response"/,
    ends: readAnyway,
  },
  {
    on: ['sse', 'auto'],
    form: 'endpoint-elsewhere',
    shows: /"data":"http:\/\/localhost/,
    ends: /points to another origin, http:\/\/localhost:\d+; nothing is sent there/,
  },
  {
    on: ['sse'],
    form: 'silent-stream',
    fails: 'jsonrpc/base-lifecycle-support',
    shows: /initialize/,
    ends: /did not answer/,
  },
];

const cases = forms.flatMap((form) => form.on.map((transport) => ({ ...form, transport })));

test.each(someOf(cases, 8, ({ form, transport }) => `${form} ${transport}`))(
  '$form over $transport',
  { timeout: 300_000 },
  async ({ form, transport, fails, also = [], shows, ends }) => {
    const checked = await checkForm(transport, form);
    const { report } = checked;
    if (fails !== undefined) expect(verdictOf(checked, fails)).toMatchObject({ status: 'fail' });
    const events = [...checked.events.values()].map((event) => JSON.stringify(event));
    expect(fails === undefined ? events.join('\n') : evidenceText(checked, verdictOf(checked, fails))).toMatch(shows);
    expect(events.filter((event) => event.includes('posted to the other origin'))).toEqual([]);
    expect(rulesWith(checked, 'fail').filter((rule) => rule !== fails && !also.includes(rule))).toEqual([]);
    expect(rulesWith(checked, 'error')).toEqual([]);
    if (ends) expect(report.incomplete).toMatch(ends);
    else expect(report.incomplete).toBeNull();
    expect(report).toMatchObject({ compliant: false });
    expect(exitVerdict(report, { bands: defaultScoring.bands }).code).toBe(1);
    // Badges and annotations, which are short, tell the outcome alone.
    for (const format of reportFormats.filter((one) => !one.startsWith('badge')))
      expect(renderReport(report, format), format).toMatch(fails ?? /incomplete/i);
  },
);

const strangers: { on: Transport[]; form: string; says: RegExp }[] = [
  { on: ['stdio'], form: 'logs-alone', says: /did not answer initialize in time\. .*"server starting"/ },
  { on: ['http'], form: 'page', says: /Nothing here but a page/ },
  { on: ['http'], form: 'empty', says: /status 200 and no JSON-RPC response/ },
  { on: ['http'], form: 'accepted-only', says: /status 202 and no JSON-RPC response/ },
  { on: ['http'], form: 'no-json', says: /begins with "ok"/ },
  { on: ['http'], form: 'error-400', says: /HTTP status 400.*Nothing here but a page/ },
  { on: ['http'], form: 'not-found', says: /HTTP status 404.*Nothing here but a page/ },
  { on: ['http', 'sse'], form: 'breaks-down', says: /HTTP status 500/ },
  { on: ['sse'], form: 'sse-page', says: /gives no HTTP\+SSE event stream: HTTP status 200, text\/html/ },
  { on: ['sse'], form: 'sse-as-text', says: /gives no HTTP\+SSE event stream: HTTP status 200, text\/plain/ },
  {
    on: ['auto'],
    form: 'endpoint-none',
    says: /HTTP status 405.*GET opens an event stream, but no endpoint event came/,
  },
  { on: ['auto'], form: 'endpoint-of-another-name', says: /GET opens an event stream, but no endpoint event came/ },
];
const strange = strangers.flatMap((form) => form.on.map((transport) => ({ ...form, transport })));

test.each(someOf(strange, 5, ({ form, transport }) => `${form} ${transport}`))(
  '$form over $transport is not judged',
  { timeout: 300_000 },
  async ({ form, transport, says }) => {
    const error = await checkForm(transport, form).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(McpcError);
    expect(error).toMatchObject({ stage: 'target', message: expect.stringMatching(says) as string });
  },
);
