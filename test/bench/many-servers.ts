/**
 * Hosts many HTTP servers for the bench of fleets, in one process: sound reference servers, slow, dead and hostile
 * ones. Prints their addresses as one line of JSON, then serves until it is ended.
 *
 *   npx tsx test/bench/many-servers.ts COUNT FIRST
 */
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';

const [count = 10, first = 0] = process.argv.slice(2).map(Number);

function listen(onRequest: RequestListener): Promise<string> {
  const server = createServer(onRequest);
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)),
  );
}

/** Each answer comes late. */
async function slow(): Promise<string> {
  const { url } = await startReferenceServer({ transport: 'http' });
  return listen((incoming, reply) => {
    setTimeout(() => {
      const onward = request(
        url,
        { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: new URL(url).host } },
        (answer) => {
          reply.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(reply);
        },
      );
      onward.on('error', () => reply.destroy());
      reply.on('close', () => onward.destroy());
      incoming.pipe(onward);
    }, 250);
  });
}

const noise = Buffer.alloc(64 * 1024, 'noise ');

/** Writes for as long as somebody reads. */
const endless =
  (head: string): RequestListener =>
  (_, reply) => {
    reply.writeHead(200, { 'content-type': head });
    const more = (): void => {
      while (!reply.destroyed && reply.write(head === 'text/event-stream' ? `data: ${noise.toString()}\n\n` : noise));
      if (!reply.destroyed) reply.once('drain', more);
    };
    more();
  };

const hostile: RequestListener[] = [
  // Never answers.
  () => {},
  endless('text/event-stream'),
  endless('application/json'),
  (_, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
  (_, reply) => reply.destroy(),
  (_, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(1_000_000)),
];

const addresses: { name: string; url: string }[] = [];
for (let index = 0; index < count; index += 1) {
  const number = first + index;
  // Of fifty servers three are slow, three dead, three hostile.
  const kind =
    (
      {
        3: 'slow',
        19: 'slow',
        35: 'slow',
        7: 'dead',
        23: 'dead',
        39: 'dead',
        11: 'hostile',
        27: 'hostile',
        43: 'hostile',
      } as Record<number, string>
    )[number % 50] ?? 'sound';
  const url =
    kind === 'slow'
      ? await slow()
      : // No port that a server of this fleet may take.
        kind === 'dead'
        ? `http://127.0.1.${(number % 250) + 1}:9/mcp`
        : kind === 'hostile'
          ? await listen(hostile[(Math.floor(number / 50) * 3 + Math.floor((number % 50) / 16)) % hostile.length]!)
          : (await startReferenceServer({ transport: 'http' })).url;
  addresses.push({ name: `${kind} ${number}`, url });
}
process.stdout.write(`${JSON.stringify(addresses)}\n`);
