/**
 * The official scenarios below auth/: the reference client passes those that it knows, and each duty that it leaves out is
 * found by the check that is for it.
 */
import { describe, expect, test } from 'vitest';
import { functionsDriver, type ClientFunctions } from '../../src/stage/drive/functions-driver.ts';
import { summaryOf } from '../../src/stage/conformance/results.ts';
import { runScenario, type ScenarioResult } from '../../src/stage/conformance/run-scenario.ts';
import { findScenario, readScenarios } from '../../src/stage/conformance/scenarios.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import { referenceClient, type ReferenceOptions } from '../reference-client/client.ts';
import { extensionClient, type ExtensionFault } from './clients/extension-client.ts';
import { someOf } from '../support/run/some-of.ts';

const stateless = '2026-07-28';
type Duty = NonNullable<ReferenceOptions['neglects']>[number];

function playBy<C>(name: string, functions: ClientFunctions<C>, revision?: Revision): Promise<ScenarioResult> {
  return runScenario(findScenario(name), {
    command: 'client of the test',
    driver: functionsDriver(functions),
    env: process.env,
    revision,
    timeoutMs: 20_000,
    toolVersion: 'test',
    traceFile: undefined,
    signal: new AbortController().signal,
    print: () => {},
  });
}

function play(name: string, neglected: readonly Duty[] = [], at?: Revision): Promise<ScenarioResult> {
  const revision = at ?? (findScenario(name).since === stateless ? stateless : '2025-11-25');
  return playBy(name, referenceClient({ revision, neglects: [...neglected] }), at);
}

const bad = ({ checks }: ScenarioResult): string[] =>
  checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id);

const names = readScenarios()
  .filter(({ scenario, extension }) => scenario.startsWith('auth/') && extension === undefined)
  .map(({ scenario }) => scenario);

describe('the reference client passes', () => {
  test.each(someOf(names, 8, String))('%s', async (name) => {
    const result = await play(name);
    expect(bad(result)).toEqual([]);
    expect(summaryOf(result)).toMatchObject({ outcome: 'passed', failed: 0, warnings: 0 });
  });
});

/** The duty that is left out, the check that is for it, and whether others may fail with it. */
const faults: [scenario: string, duties: Duty | Duty[], ids: string[], at?: Revision][] = [
  ['metadata-default', ['follow-the-challenge', 'look-at-the-path-first'], ['prm-priority-order']],
  [
    'metadata-default',
    'use-pkce',
    ['pkce-code-challenge-sent', 'pkce-s256-method-used', 'pkce-code-verifier-sent', 'pkce-verifier-matches-challenge'],
  ],
  ['metadata-default', 'challenge-by-s256', ['pkce-s256-method-used', 'pkce-verifier-matches-challenge']],
  ['metadata-default', 'name-application-type', ['sep-837-application-type-present'], stateless],
  ['metadata-default', 'name-application-type', []],
  ['metadata-default', 'name-the-resource', ['resource-parameter-in-authorization', 'resource-parameter-in-token']],
  ['metadata-default', 'name-the-right-resource', ['resource-parameter-matches-prm']],
  [
    'token-endpoint-auth-post',
    'leave-fragments-out',
    ['resource-parameter-valid-uri', 'resource-parameter-matches-prm'],
  ],
  ['scope-from-www-authenticate', 'take-challenged-scopes', ['scope-from-www-authenticate']],
  ['scope-from-scopes-supported', 'take-supported-scopes', ['scope-from-scopes-supported']],
  ['scope-step-up', 'step-up', ['scope-step-up-escalation', 'sep-2350-scope-union-on-reauth'], stateless],
  ['scope-step-up', 'keep-scopes', ['sep-2350-scope-union-on-reauth'], stateless],
  ['scope-step-up', 'keep-scopes', []],
  ['scope-retry-limit', 'give-up', ['scope-retry-limit']],
  ['basic-cimd', 'prefer-documents', ['cimd-client-id-used']],
  [
    'authorization-server-migration',
    'register-again',
    ['sep-2352-reregister-on-as-change', 'sep-2352-no-reuse-on-as-change', 'sep-2352-no-cross-as-credential-reuse'],
  ],
  ['resource-mismatch', 'check-the-resource', ['resource-mismatch-rejected']],
  ['iss-supported-missing', 'want-announced-issuers', ['sep-2468-client-reject-missing-iss']],
  ['iss-wrong-issuer', 'compare-issuers', ['sep-2468-client-compare-iss-supported']],
  ['iss-unexpected', 'compare-issuers', ['sep-2468-client-compare-iss-unadvertised']],
  ['iss-normalized', 'compare-issuers-exactly', ['sep-2468-client-no-normalization']],
  ['metadata-issuer-mismatch', 'check-the-issuer', ['sep-2468-client-validate-metadata-issuer']],
];

describe('a fault is found by its check, and by no other', () => {
  test.each(someOf(faults, 8, ([name, duties, , at]) => `${name} ${String(duties)} ${at ?? ''}`))(
    '%s without %s: %j',
    async (name, duties, ids, at) => {
      expect(bad(await play(`auth/${name}`, [duties].flat(), at))).toEqual(ids);
    },
  );
});

const extensions = readScenarios()
  .filter(({ scenario, extension }) => scenario.startsWith('auth/') && extension !== undefined)
  .map(({ scenario }) => scenario);

describe('a client of the extensions passes', () => {
  test.each(someOf(extensions, 4, String))('%s', async (name) => {
    const result = await playBy(name, extensionClient());
    expect(bad(result)).toEqual([]);
    expect(summaryOf(result)).toMatchObject({ outcome: 'passed', failed: 0, warnings: 0 });
  });
});

/** A fault, and the checks that fail: the one that is for it, and those that nothing decides without a token. */
const extensionFaults: [scenario: string, fault: ExtensionFault, ids: string[]][] = [
  ['client-credentials-basic', 'other-authentication', ['client-credentials-basic-auth']],
  ['client-credentials-basic', 'other-grant', ['client-credentials-grant-type', 'client-credentials-basic-auth']],
  ['client-credentials-jwt', 'no-audience', ['client-credentials-jwt-verified']],
  ['enterprise-managed-authorization', 'no-audience', ['complete-flow-token-exchange', 'complete-flow-jwt-bearer']],
  ['cross-app-access-complete-flow', 'other-grant', ['complete-flow-jwt-bearer']],
  ['wif-jwt-bearer', 'no-assertion', ['wif-assertion-verified', 'wif-assertion-missing']],
  ['wif-jwt-bearer', 'wrong-audience', ['wif-assertion-verified', 'wif-assertion-audience']],
  ['wif-jwt-bearer', 'expired', ['wif-assertion-verified', 'wif-assertion-expired']],
  ['wif-jwt-bearer', 'malformed', ['wif-assertion-verified', 'wif-assertion-malformed']],
  ['wif-jwt-bearer', 'grant-fallback', ['pkce-code-verifier-sent', 'wif-grant-fallback']],
  ['wif-jwt-bearer', 'retry', ['wif-no-retry']],
  ['dpop', 'bearer', ['sep-1932-client-dpop-auth-scheme']],
  ['dpop', 'replay', ['sep-1932-client-fresh-proof']],
  ['dpop', 'no-token-proof', ['sep-1932-client-token-request-proof', 'sep-1932-client-fresh-proof']],
  [
    'dpop-nonce',
    'no-as-nonce',
    [
      'sep-1932-client-dpop-auth-scheme',
      'sep-1932-client-fresh-proof',
      'sep-1932-client-as-nonce',
      'sep-1932-client-rs-nonce',
    ],
  ],
  ['dpop-nonce', 'no-rs-nonce', ['sep-1932-client-rs-nonce']],
];

describe('a fault of an extension is found by its check', () => {
  test.each(someOf(extensionFaults, 6, ([name, fault]) => `${name} ${fault}`))('%s: %s', async (name, fault, ids) => {
    expect(bad(await playBy(`auth/${name}`, extensionClient(fault)))).toEqual(ids);
  });
});
