/**
 * The use case `check --role authorization-server`: reads the metadata of an authorization server, asks it for codes and
 * tokens, and judges what it does with such requests. No message of MCP is sent.
 */
import { withoutEndSlashes } from '../../core/model/end-slashes.ts';
import { targetError, usageError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { EventSink, TraceHeader } from '../../core/model/trace.ts';
import { asText } from '../../core/model/json.ts';
import { createEventStore } from '../../core/trace/event-store.ts';
import { createRecorder } from '../../core/trace/recorder.ts';
import { eraOf, revisions } from '../../core/spec/revisions.ts';
import { createJsonlWriter } from '../../files/traces/jsonl-writer.ts';
import { serverPlaces } from '../../client/peer/beside/metadata-places.ts';
import type { HttpTarget } from '../../client/target/target.ts';
import { assembleReport } from '../assemble-report.ts';
import type { CheckOptions } from '../check-options.ts';
import { withoutSecrets } from '../check.ts';
import { timingOf } from '../connect.ts';
import { startJudging } from '../judge/judge-feed.ts';
import { loadPlan } from '../plan.ts';
import { redactorOf } from '../run-redactor.ts';
import { startServed, type ServedProcess } from '../target/serve.ts';
import { obtainClient, redirectUriAt, textOf, type GivenClient, type ServerMetadata } from './as-client.ts';
import { probeWithClient, probeWithoutClient, scopesFor, type LeftOut } from './code-probes.ts';
import { probeDocuments, type DocumentOptions } from './document-probes.ts';
import { createProbeExchanges, type ProbeExchanges } from './probe-exchanges.ts';
import { requestToken } from './token-requests.ts';

export interface AuthorizationServerOptions
  extends Pick<
    CheckOptions,
    | 'evaluator'
    | 'keepSecrets'
    | 'name'
    | 'onHeader'
    | 'onNotice'
    | 'secrets'
    | 'selection'
    | 'serve'
    | 'signal'
    | 'spec'
    | 'target'
    | 'timing'
    | 'toolVersion'
    | 'traceFile'
  > {
  client?: GivenClient;
  redirectPort?: number;
  /** With blanks between. */
  scope?: string;
  documents?: DocumentOptions;
  /** Identifier of a resource that tokens are asked for. */
  resource?: string;
}

/** @throws McpcError usage for a target that is no address, target where no authorization server is */
export async function checkAuthorizationServer(options: AuthorizationServerOptions): Promise<RunReport> {
  const { target } = options;
  if (target.kind === 'stdio')
    throw usageError('An authorization server is reached over HTTP.', 'Name its issuer with --url.');
  const began = performance.now();
  const plan = await loadPlan(options.selection);
  const redactor = redactorOf(options);
  const store = createEventStore();
  const recorder = createRecorder({ store, redactor });
  const writer = options.traceFile === undefined ? undefined : createJsonlWriter(options.traceFile);
  if (writer) recorder.writeTo(writer);
  const header = headerOf(options, target.url);
  recorder.setHeader(header);
  options.onHeader?.(recorder.header!);
  const timing = timingOf(options);
  let served: ServedProcess | undefined;
  const exchanges = createProbeExchanges(
    target,
    { sink: recorder.sink, timeoutMs: timing.answerMs, signal: options.signal },
    (secret) => redactor.learn(secret),
  );
  try {
    served = options.serve && (await startServed(options.serve, target, recorder.sink, timing, options.signal));
    // Judged is what a saved trace would show, so that judging that trace gives the same verdicts.
    const feed = await startJudging(
      plan.rules,
      recorder.header!,
      options.evaluator === undefined ? {} : { evaluator: options.evaluator },
    );
    for (const event of store.all()) feed.push(event);
    recorder.subscribe(feed.push, { redacted: true });
    const skipped = await probe(options, target, exchanges, {
      learn: (secret) => redactor.learn(secret),
      sink: recorder.sink,
    });
    const durationMs = Math.round(performance.now() - began);
    const footer = recorder.finish({
      complete: options.signal?.aborted !== true,
      reason: options.signal?.aborted === true ? 'the check was ended before it was through' : undefined,
      more: { durationMs, ...(skipped.length === 0 ? {} : { skipped }) },
    });
    const judged = await feed.finish();
    await writer?.close();
    return await assembleReport({
      header: recorder.header!,
      footer,
      cited: store.find,
      judged,
      plan,
      toolVersion: options.toolVersion,
      trace: options.traceFile ?? null,
      durationMs,
    });
  } catch (error) {
    recorder.finish({ complete: false, reason: redactor.text(error instanceof Error ? error.message : asText(error)) });
    await writer?.close().catch(() => {});
    throw withoutSecrets(error, redactor);
  } finally {
    await exchanges.close();
    await served?.stop();
  }
}

function headerOf({ name, spec }: AuthorizationServerOptions, url: string): TraceHeader {
  const revision: Revision = spec === 'auto' ? revisions.at(-1)! : spec;
  return {
    format: 'mcpc-trace',
    version: 1,
    origin: 'live',
    transport: 'http',
    revision,
    era: eraOf(revision),
    target: { name, kind: 'authorization-server', url },
    startedAt: new Date().toISOString(),
  };
}

async function probe(
  options: AuthorizationServerOptions,
  target: HttpTarget,
  exchanges: ProbeExchanges,
  { learn, sink }: { learn: (secret: string) => void; sink: EventSink },
): Promise<LeftOut[]> {
  const metadata = await metadataOf(target.url, exchanges);
  if (metadata === undefined) {
    await refuseOther(target.url, exchanges);
    return [{ what: 'codes and tokens', why: 'no metadata names the endpoints' }];
  }
  if (withoutEndSlashes(textOf(metadata, 'issuer') ?? '') !== withoutEndSlashes(target.url))
    options.onNotice?.(
      `The metadata names the issuer ${JSON.stringify(metadata.issuer)}, and clients that look for ${target.url} must refuse it.`,
    );
  const context = {
    metadata,
    exchanges,
    learn,
    scope: scopesFor(metadata, options.scope),
    resource: options.resource,
  };
  await probeWithoutClient(context);
  const redirectUri = redirectUriAt(options.redirectPort);
  const documents = await probeDocuments(context, redirectUri, { ...options.documents, sink });
  const client = await obtainClient(metadata, exchanges, { given: options.client, redirectUri });
  if ('missing' in client) return [...documents, { what: 'codes and tokens', why: client.missing }];
  const left = await probeWithClient(context, client);
  if (client.secret !== undefined)
    await requestToken(metadata, exchanges, client, {
      grant_type: 'client_credentials',
      scope: options.scope,
      resource: options.resource,
    });
  return [...documents, ...left];
}

/** Asks at every place. What several documents name is taken from that of RFC 8414. */
async function metadataOf(issuer: string, exchanges: ProbeExchanges): Promise<ServerMetadata | undefined> {
  const found: ServerMetadata[] = [];
  let reason: string | undefined;
  let replies = 0;
  for (const place of serverPlaces(issuer)) {
    const reply = await exchanges.send(place, { method: 'GET', headers: [['Accept', 'application/json']] });
    if ('missing' in reply) {
      reason ??= reply.missing;
      continue;
    }
    replies += 1;
    const { content, status } = reply;
    if (status === 200 && content !== undefined && marks.some((name) => name in content)) found.push(content);
  }
  if (replies === 0)
    throw targetError(
      `The authorization server ${issuer} cannot be reached: ${reason ?? 'no reply came'}.`,
      'Name its issuer with --url; a private address is allowed with --auth-server.',
    );
  return found.length === 0 ? undefined : found.reduceRight((all, one) => ({ ...all, ...one }), {});
}

/** Metadata has at least one of these properties. */
const marks = ['issuer', 'authorization_endpoint', 'token_endpoint'];

/** @throws McpcError target unless something answers as a token endpoint does */
async function refuseOther(issuer: string, exchanges: ProbeExchanges): Promise<void> {
  const reply = await exchanges.send(`${new URL(issuer).origin}/token`, {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
    ],
    body: 'grant_type=authorization_code',
  });
  if ('missing' in reply || reply.status < 400 || typeof reply.content?.error !== 'string')
    throw targetError(
      `Nothing at ${issuer} is an authorization server: there is no metadata of one, and no token endpoint.`,
      'Name the issuer with --url, as authorization_servers of a resource names it.',
    );
}
