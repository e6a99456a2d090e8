/** Tells why a target could not be brought to speak MCP, from how it answered the first request. */
import { targetError, type McpcError } from '../../core/model/errors.ts';
import { AnsweredOtherwise, brokenDown, isAnswer, type Spoken } from './answered-otherwise.ts';
import type { Answer, Noise, Peer } from '../peer/peer.ts';
import type { Target } from './target.ts';

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
            `${name} did not answer ${method} in time. ${told(target, noise)}`,
            'Is it an MCP server on this transport? Nothing but messages may be written where messages are expected.',
          );
    case 'closed':
      return target.kind === 'stdio'
        ? targetError(
            `${name} ended before it answered ${method}.${noise === undefined ? '' : ` ${told(target, noise)}`}`,
            'Run the command by hand to see why; its stderr is shown with --verbose.',
          )
        : lost(name, method, answer.reason, answer.code);
    case 'refused':
      return refused(name, method, answer.status, noise);
    default: {
      const remedy = 'Is it an MCP server? Name a revision with --spec if it speaks another one.';
      // Who breaks JSON-RPC may give neither.
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

function told(target: Target, { count, sample }: Noise): string {
  return `${target.kind === 'stdio' ? 'Its stdout' : 'The reply'} holds ${count === 1 ? 'text that is no message' : `${count} lines that are no messages, first`}: ${JSON.stringify(sample)}`;
}

function refused(name: string, method: string, status: number, noise: Noise | undefined): McpcError {
  if (status === 401 || status === 403)
    return targetError(
      `${name} answered ${method} with HTTP status ${status}: it wants credentials.`,
      'Give a token with --token, or other credentials with --header "Name: value".',
    );
  if (brokenDown.has(status))
    return targetError(
      `${name} answered ${method} with HTTP status ${status}.`,
      'Its log should tell why. Is this the endpoint? The path of MCP servers often ends in /mcp or /sse.',
    );
  const remedy = 'Is this the endpoint? The path of MCP servers often ends in /mcp or /sse.';
  if (status >= 200 && status < 300) {
    const found = noise === undefined ? '' : ` The reply begins with ${JSON.stringify(noise.sample)}.`;
    return targetError(
      `${name} speaks HTTP, but not MCP: it answered ${method} with status ${status} and no JSON-RPC response.${found}`,
      remedy,
    );
  }
  return targetError(`${name} answered ${method} with HTTP status ${status}.`, remedy);
}

const certificateCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

function lost(name: string, method: string, reason: string | undefined, code: string | undefined): McpcError {
  // OpenSSL tells where in its own source it stood; of use is only what went wrong.
  const told = reason?.replace(/^.*\broutines:[^:]*:([^:]+):.*$/s, '$1').trim();
  const why = told === undefined ? '' : ` (${told})`;
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
    'Is it an MCP server, and is the address right?',
  );
}

/** Why the target cannot be spoken with, by its answer to the first request. */
export function noConversation(peer: Peer, spoken: Spoken, answer: Answer, method: string): McpcError {
  const told = notSpeaking(spoken.target, answer, method, peer.noise);
  return hasAnswered(peer, answer) ? new AnsweredOtherwise(told, spoken) : told;
}

function hasAnswered({ heard }: Peer, answer: Answer): boolean {
  switch (answer.kind) {
    case 'response':
      return true;
    case 'refused':
      return heard !== 'nothing' || isAnswer(answer.status);
    case 'timeout':
      return heard !== 'nothing';
    // What a process prints before it ends may be that of whoever started it, and is no answer.
    case 'closed':
      return heard === 'messages';
  }
}
