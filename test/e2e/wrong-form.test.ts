/**
 * Servers that answer, but not in MCP's form: each gets a report in which the rule that names the fault fails and cites
 * the bytes, and no rule that has nothing to do with it. Some of them in `npm test`; all of them with --mode all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../src/report/render.ts';
import { exitVerdict } from '../../src/core/score/exit-policy.ts';
import { defaultScoring } from '../../src/core/score/scoring.ts';
import { freePort } from '../support/free-port.ts';
import { someOf } from '../support/run/some-of.ts';
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
    on: ['stdio'],
    form: 'logs-alone',
    fails: 'stdio/stdout-purity',
    also: unanswered,
    shows: /server starting/,
    ends: /did not answer initialize in time/,
  },
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
    form: 'page',
    fails: 'http/post-response-type',
    also: unanswered,
    shows: /Nothing here but a page/,
    ends: /speaks HTTP, but not MCP/,
  },
  {
    on: ['http'],
    form: 'empty',
    fails: 'http/post-response-type',
    also: unanswered,
    shows: /"bodyBytes":0/,
    ends: /no JSON-RPC response/,
  },
  {
    on: ['http'],
    form: 'accepted-only',
    fails: 'http/post-response-type',
    also: unanswered,
    shows: /202/,
    ends: /status 202/,
  },
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
    on: ['sse', 'auto'],
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
    on: ['sse', 'auto'],
    form: 'endpoint-none',
    fails: 'sse-legacy/endpoint-event',
    shows: /no endpoint event/,
    ends: noStream,
  },
  { on: ['sse'], form: 'sse-page', fails: 'sse-legacy/endpoint-pair', shows: /text\/html/, ends: noStream },
  { on: ['sse'], form: 'sse-as-text', fails: 'sse-legacy/endpoint-pair', shows: /text\/plain/, ends: noStream },
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
  { on: ['http', 'sse'], form: 'breaks-down', shows: /"status":500/, ends: /HTTP status 500/ },
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
