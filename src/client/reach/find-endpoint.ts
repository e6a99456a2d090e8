/**
 * Looks for an MCP server near an address without one: a mistyped path, or the other transport. The same origin alone
 * is asked, since credentials go along.
 */
import { newestStatefulRevision } from '../../core/spec/revisions.ts';
import { NoEndpoint } from '../target/answered-otherwise.ts';
import type { Peer } from '../peer/peer.ts';
import type { DetectOptions } from './detected.ts';
import type { HttpTarget } from '../target/target.ts';

/** Usual ends of paths of MCP servers. */
const usualNames: ReadonlySet<string> = new Set(['mcp', 'sse']);
/** Milliseconds for each candidate; all are asked at once. */
const candidateMs = 3_000;

/** The error with a remedy that names the address that does answer, or those where nothing does. */
export async function withEndpoint(error: NoEndpoint, target: HttpTarget, open: DetectOptions['open']): Promise<Error> {
  const candidates = candidatesOf(target);
  const answers = await Promise.all(candidates.map((one) => speaksMcp(one, open)));
  const found = candidates.find((_, index) => answers[index]);
  if (found === undefined) {
    const paths = new Set(candidates.map(({ url }) => new URL(url).pathname));
    paths.delete(new URL(target.url).pathname);
    return new NoEndpoint(
      error.message,
      `${error.remedy} The path of MCP servers often ends in /mcp or /sse; none answers at ${[...paths].join(' or ')}.`,
    );
  }
  const flag = found.kind === 'sse' ? '--transport sse' : '--transport http';
  return new NoEndpoint(
    error.message,
    found.url === target.url
      ? `An MCP server answers there with ${flag}.`
      : `An MCP server answers at ${found.url}: check that address.`,
  );
}

/** Where MCP servers usually are, the most likely first, and the other transport at the address itself. */
function candidatesOf(target: HttpTarget): HttpTarget[] {
  const { pathname, origin } = new URL(target.url);
  const folders = pathname.split('/').filter((one) => one !== '');
  if (usualNames.has(folders.at(-1) ?? '')) folders.pop();
  const folder = folders.map((one) => `/${one}`).join('');
  const at = (kind: HttpTarget['kind'], path: string): HttpTarget => ({ ...target, kind, url: `${origin}${path}` });
  const all = [
    { ...target, kind: target.kind === 'http' ? 'sse' : 'http' } as HttpTarget,
    at('http', `${folder}/mcp`),
    at('http', '/mcp'),
    at('sse', `${folder}/sse`),
    at('sse', '/sse'),
  ];
  const seen = new Set([`${target.kind} ${target.url}`]);
  return all.filter(({ kind, url }) => {
    const key = `${kind} ${url}`;
    return !seen.has(key) && seen.add(key);
  });
}

async function speaksMcp(target: HttpTarget, open: DetectOptions['open']): Promise<boolean> {
  let peer: Peer | undefined;
  try {
    peer = await open(target, 'stateful', newestStatefulRevision, { trial: true, startMs: candidateMs });
    // Over HTTP+SSE the endpoint came, or it would not be open.
    if (target.kind === 'sse') return true;
    await peer.handshake({ deadlineMs: candidateMs });
    return peer.heard === 'messages';
  } catch {
    // Nothing there, either.
    return false;
  } finally {
    await peer?.close();
  }
}
