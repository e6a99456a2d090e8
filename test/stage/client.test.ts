/**
 * `mcpc client` against real clients: those of the official SDK, and a raw one with a fault each, which the right rule
 * names, or with a liberty that no rule may hold against it.
 */
import { someOf } from '../support/run/some-of.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { everything } from '../../src/check/plan.ts';
import { commandDriver } from '../../src/stage/drive/command-driver.ts';
import type { ClientOptions } from '../../src/stage/run/client-options.ts';
import { runClient } from '../../src/stage/run-client.ts';
import { thorough } from '../support/run/options.ts';

const clientFile = (name: string): string => fileURLToPath(new URL(`clients/${name}`, import.meta.url));

function run(words: string[], more: Partial<ClientOptions> = {}, env: Record<string, string> = {}): Promise<RunReport> {
  return runClient({
    name: 'test',
    words,
    driver: commandDriver(words),
    env: { ...process.env, ...env },
    secrets: [],
    transport: 'http',
    spec: 'newest',
    selection: everything,
    keepSecrets: false,
    toolVersion: 'test',
    startMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });
}

const raw = ['node', clientFile('raw-client.mjs')];

function failures(report: RunReport): string[] {
  return report.parts.flatMap(({ verdicts }) =>
    verdicts.filter(({ status }) => status === 'fail').map(({ rule }) => rule),
  );
}

describe('a raw client with one fault', () => {
  const faults: [fault: string, rule: string, others?: string[]][] = [
    [
      'ping-text',
      'ping/client-answer-empty-result',
      ['jsonrpc/client-result-object-type', 'jsonrpc/client-message-form'],
    ],
    ['unknown-code', 'errors/client-code-method-not-found'],
    ['unknown-result', 'errors/client-code-method-not-found'],
    ['no-initialized', 'lifecycle/initialization-initialized-notification'],
    [
      'request-first',
      'lifecycle/client-initialization-precedence',
      // So it is behind a session that was lost.
      ['session/end-client-restart', 'session/id-client-echo', 'versioning/header-client-presence'],
    ],
    ['any-version', 'versioning/initialize-client-disconnection'],
    ['wrong-version-header', 'versioning/header-negotiated-value'],
    ['no-version-header', 'versioning/header-client-presence'],
    ['no-session-id', 'session/id-client-echo'],
    ['session-after-404', 'session/end-client-restart'],
    ['roots-shape', 'roots/list-result-schema', ['roots/list-uri-scheme']],
    ['roots-uri', 'roots/list-uri-scheme', ['roots/list-result-schema']],
    ['undeclared-roots', 'roots/capability-declaration'],
    ['undeclared-sampling', 'sampling/capability-declaration'],
    ['undeclared-elicitation', 'elicitation/capability-declaration'],
    ['sampling-shape', 'sampling/result-schema'],
    ['elicit-action', 'elicitation/result-schema'],
    ['elicit-content', 'elicitation/result-content-validity'],
    ['url-accepted', 'elicitation/errors-unsupported-mode'],
    ['no-mode-refused', 'elicitation/request-default-mode'],
    ['sampling-tools', 'sampling/capability-tools-client-error'],
    ['task-call', 'tasks/tool-forbidden-client', ['tasks/tool-capability-absence']],
    ['no-resume', 'http/sse-client-polling'],
    ['made-up-cursor', 'pagination/client-cursor-opacity'],
    ['undeclared-tools', 'tools/capability-client-use'],
    ['no-name', 'lifecycle/initialization-client-request'],
    ['same-id', 'jsonrpc/client-request-id-session-uniqueness'],
    ['answer-id', 'jsonrpc/client-response-result-id', ['jsonrpc/client-response-error-id']],
    ['accept-json', 'http/post-accept-header'],
    ['null-id', 'jsonrpc/client-request-null-id'],
    ['object-id', 'jsonrpc/client-request-id-type', ['jsonrpc/client-request-id-session-uniqueness']],
    ['no-jsonrpc', 'jsonrpc/client-message-form', ['http/post-body-shape']],
    ['array-params', 'jsonrpc/client-request-params-type'],
    ['batch', 'http/post-body-shape', ['versioning/client-negotiated-adherence']],
    ['number-cursor', 'pagination/cursor-request-type', ['pagination/client-cursor-opacity']],
    ['text-meta', 'meta/client-value-object-type'],
    ['reserved-meta', 'meta/client-key-prefix-reservation'],
    ['cancel-unknown', 'cancellation/client-notification-own-request'],
    ['cancel-without-id', 'cancellation/client-notification-request-id'],
    ['progress-unknown', 'progress/client-token-active-reference'],
    ['unknown-level', 'logging/set-level-request-schema'],
    ['half-completion', 'completion/request-schema'],
    ['no-uri', 'resources/read-request-schema'],
    ['call-without-name', 'tools/call-request-schema'],
    ['list-of-arguments', 'tools/call-request-schema'],
    ['error-without-message', 'jsonrpc/client-error-code-and-message'],
    [
      'error-text-code',
      'jsonrpc/client-error-code-type',
      ['errors/client-code-method-not-found', 'elicitation/errors-unsupported-mode'],
    ],
  ];
  test.concurrent.each(someOf(faults, 34, ([fault]) => fault))('%s breaks %s', async (fault, rule, others = []) => {
    const report = await run(raw, {}, { FAULT: fault });
    const found = failures(report);
    expect(found).toContain(rule);
    expect(found.filter((one) => one !== rule && !others.includes(one))).toEqual([]);
  });

  test.runIf(thorough)('content of an elicitation by address', async () => {
    expect(failures(await run(raw, {}, { FAULT: 'url-content', VARIANT: 'url' }))).toEqual([
      'elicitation/result-url-content',
    ]);
  });
});

describe('over stdio', () => {
  const words = (env: Record<string, string>): Promise<RunReport> =>
    run(['node', clientFile('stdio-client.mjs')], { transport: 'stdio' }, env);

  test('the client of the SDK breaks nothing, and ends its server as it should', async () => {
    const report = await words({});
    expect(failures(report)).toEqual([]);
    const shutdown = report.parts[0]!.verdicts.find(({ rule }) => rule === 'stdio/shutdown-stdin-closure');
    expect(shutdown?.status).toBe('pass');
  });

  test('one that kills its server is told so', async () => {
    expect(failures(await words({ FAULT: 'kill' }))).toEqual(['stdio/shutdown-stdin-closure']);
  });

  test.runIf(thorough)('one that mcpc has to end is not blamed for the signal that its server gets', async () => {
    expect(failures(await words({ FAULT: 'hang' }))).toEqual([]);
  });

  test.runIf(thorough)('the server may be named by a file of the configuration', async () => {
    const report = await run(['node', clientFile('stdio-client.mjs'), '--config={{config}}'], { transport: 'stdio' });
    expect(failures(report)).toEqual([]);
  });
});

describe('what a client is free to do breaks nothing', () => {
  const variants = ['', 'bare', 'declines', 'url', 'string-ids', 'parallel', 'lists-nothing', 'no-delete', 'gives-up'];
  test.concurrent.each(someOf(variants, 9, String))('%s', async (variant) => {
    const report = await run(raw, {}, { VARIANT: variant });
    expect(failures(report)).toEqual([]);
    expect(report.target).toMatchObject({ kind: 'client' });
    expect(report.compliant).toBe(true);
  });

  test.concurrent.each(someOf(['2025-06-18', '2025-03-26'], 2, String))('an older revision, %s', async (revision) => {
    const report = await run(raw, {}, { VERSION: revision });
    expect(failures(report)).toEqual([]);
    expect(report.parts[0]!.revision).toBe(revision);
  });
});
