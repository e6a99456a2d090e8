/** Explains why a target does not speak MCP, by its answer to the first request. */
import { targetError, type McpcError } from '../../core/model/errors.ts';
import { AnsweredOtherwise, NoEndpoint, type Spoken } from '../target/answered-otherwise.ts';
import type { Answer, Noise, Peer } from '../peer/peer.ts';
import { namedVersions } from './refused-version.ts';
import type { Target } from '../target/target.ts';
import { unauthorized } from '../target/unauthorized.ts';

/**
 * @param method the request that the answer belongs to
 * @param noise what the server wrote that is no message
 */
export function notSpeaking(target: Target, answer: Answer, method: string, noise: Noise | undefined): McpcError {
  const name = target.kind === 'stdio' ? `"${[target.command, ...target.args].join(' ')}"` : target.url;
  switch (answer.kind) {
    case 'timeout':
      return noise === undefined
        ? targetError(
            `${name} did not answer ${method} in time.`,
            'Is it an MCP server on this transport? A slow one needs a longer --start-timeout.',
          )
        : targetError(
            `${name} did not answer ${method} in time. ${reported(target, noise)}`,
            'Is it an MCP server on this transport? Nothing but messages may be written where messages are expected.',
          );
    case 'closed':
      return target.kind === 'stdio'
        ? targetError(
            `${name} ended before it answered ${method}.${noise === undefined ? '' : ` ${reported(target, noise)}`}`,
            'Run the command by hand to see why.',
          )
        : lost(name, method, answer.reason, answer.code);
    case 'refused':
      return refused(target, answer, method, noise);
    default: {
      const named = namedVersions(answer);
      const remedy =
        named.length > 0
          ? `It names the revisions that it supports: use --spec ${named[0]}, or --spec auto.`
          : 'Is it an MCP server? Name a revision with --spec if it speaks another one.';
      // A server that violates JSON-RPC may give neither.
      if (answer.message.error === undefined)
        return targetError(
          `${name} answered ${method} with neither a result nor an error: ${JSON.stringify(answer.message).slice(0, 300)}`,
          remedy,
        );
      return targetError(
        `${name} answered ${method} with an error: ${JSON.stringify(answer.message.error).slice(0, 300)}`,
        remedy,
      );
    }
  }
}

function reported(target: Target, { count, sample }: Noise): string {
  return `${target.kind === 'stdio' ? 'Its stdout' : 'The reply'} holds ${count === 1 ? 'text that is no message' : `${count} lines that are no messages, first`}: ${JSON.stringify(sample)}`;
}

function refused(
  target: Target,
  { status, location, isEventStream }: Extract<Answer, { kind: 'refused' }>,
  method: string,
  noise: Noise | undefined,
): McpcError {
  const name = target.kind === 'stdio' ? target.command : target.url;
  if (status === 401 || status === 403) return unauthorized(target, status, method);
  if (isEventStream === true)
    return targetError(
      `${name} answers POST with an event stream of HTTP+SSE, the transport of 2024-11-05.`,
      'Use --transport sse.',
    );
  const found = noise === undefined ? '' : ` The reply begins with ${JSON.stringify(noise.sample)}.`;
  const isHere = 'Is this the endpoint?';
  if (status >= 200 && status < 300)
    return new NoEndpoint(
      `${name} speaks HTTP, but not MCP: it answered ${method} with status ${status} and no JSON-RPC response.${found}`,
      isHere,
    );
  if (status >= 300 && status < 400 && location !== undefined) {
    const to = URL.canParse(location, name) ? new URL(location, name).href : location;
    return targetError(
      `${name} redirects to ${to} (HTTP status ${status}), and mcpc follows no redirect.`,
      `If that is the endpoint, use its address: --url ${to}`,
    );
  }
  return new NoEndpoint(
    `${name} answered ${method} with HTTP status ${status}, and no JSON-RPC.${found}`,
    status >= 500 ? `Its log should say why. ${isHere}` : isHere,
  );
}

const certificateCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

function lost(name: string, method: string, reason: string | undefined, code: string | undefined): McpcError {
  // OpenSSL names a place in its own source; only the fault itself is useful.
  const reported = reason?.replace(/^.*\broutines:[^:]*:([^:]+):.*$/s, '$1').trim();
  const why = reported === undefined ? '' : ` (${reported})`;
  if (code === 'PROXY_AUTH')
    return targetError(
      `${name} cannot be reached: ${reason}.`,
      'Put user and password into the address of the proxy (HTTP_PROXY, HTTPS_PROXY), as in http://user:password@host:port.',
    );
  if (code === 'PROXY_REFUSED' || code === 'PROXY_LOST')
    return targetError(
      `${name} cannot be reached: ${reason}.`,
      'Check HTTP_PROXY and HTTPS_PROXY; a server that needs no proxy belongs into NO_PROXY, and --no-proxy goes straight.',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return targetError(
      `The certificate of ${name} is for another name${why}.`,
      'Use the name that the certificate has, or accept any certificate with --insecure.',
    );
  if (
    code !== undefined &&
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE/.test(code) &&
    /certificate/i.test(`${code} ${reason}`)
  ) {
    return targetError(
      `${name} wants a certificate of the client${why}.`,
      'Name one that it trusts with --cert FILE --key FILE.',
    );
  }
  if (code === 'ENOENT' || code === 'EACCES')
    return targetError(
      `The Unix socket for ${name} cannot be connected to${why}.`,
      'Check the path given with --unix-socket, and its permissions.',
    );
  if (code === 'ECONNREFUSED')
    return targetError(
      `Nothing listens at ${name}.`,
      'Start the server, or let mcpc start it with --serve; and check host and port.',
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return targetError(`The host of ${name} is not known.`, 'Check the address and the name service.');
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return targetError(`${name} cannot be reached${why}.`, 'Check the address, the network and any proxy between.');
  if (code !== undefined && certificateCodes.test(code)) {
    return targetError(
      `The certificate of ${name} is not trusted${why}.`,
      'Trust its issuer with --ca FILE, or accept any certificate with --insecure.',
    );
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL'))
    return targetError(
      `No TLS connection to ${name} could be made${why}.`,
      'Does the server speak TLS on this port? If not, use http://.',
    );
  if (code?.startsWith('HPE_'))
    return targetError(
      `${name} does not speak HTTP${why}.`,
      'Check the port, and whether the server expects https://.',
    );
  return targetError(
    `${name} closed the connection without an answer to ${method}${why}.`,
    name.startsWith('http:')
      ? 'Is it an MCP server, and is the address right? If the server speaks TLS, the address begins with https://.'
      : 'Is it an MCP server, and is the address right?',
  );
}

/**
 * Why MCP with the target is impossible.
 * @param peers all connections that were tried, first that of the answer
 * @param answer to the first request
 * @param note further observations, a sentence
 */
export function noConversation(
  peers: readonly Peer[],
  spoken: Spoken,
  answer: Answer,
  method: string,
  note?: string,
): McpcError {
  const plain = notSpeaking(spoken.target, answer, method, peers[0]?.noise);
  const reported =
    note !== undefined && plain instanceof NoEndpoint
      ? new NoEndpoint(`${plain.message} ${note}`, plain.remedy ?? '')
      : plain;
  return peers.some((peer) => hasAnswered(peer, answer)) ? new AnsweredOtherwise(reported, spoken) : reported;
}

/**
 * True if the answer comes from an MCP server, so that its messages are judged: it has sent JSON-RPC, or the endpoint
 * of HTTP+SSE.
 */
function hasAnswered({ heard, transport }: Peer, { kind }: Answer): boolean {
  return kind === 'response' || heard === 'messages' || (transport === 'sse' && kind !== 'closed');
}
