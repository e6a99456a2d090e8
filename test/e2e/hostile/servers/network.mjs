/**
 * Peers that misuse the network below MCP: servers of HTTP, TLS and HTTP/2, and forward proxies.
 *
 *   node network.mjs <id> <port>
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { constants, createSecureServer } from 'node:http2';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const [id, port] = process.argv.slice(2);
const listen = (server) => server.on('error', () => {}).listen(Number(port), '127.0.0.1');

/** A server of bare TCP, told when the first bytes have come. */
function onBytes(act) {
  return createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  });
}

/** Writes again and again, as fast as the other side reads or every so many milliseconds. */
function dribble(socket, text, everyMs) {
  const next = () => {
    if (!socket.writable) return;
    if (everyMs === undefined) socket.write(text(), () => setImmediate(next));
    else {
      socket.write(text());
      setTimeout(next, everyMs);
    }
  };
  next();
}

/** A pair that nobody has signed, in the folder of the check. */
function pair() {
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
      '-days',
      '2',
      '-subj',
      '/CN=elsewhere.test',
    ],
    { stdio: 'ignore' },
  );
  return { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') };
}

function http2(onStream) {
  const server = createSecureServer(pair());
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    onStream(stream, headers);
  });
  server.on('sessionError', () => {});
  return server;
}

function proxy({
  request = (_request, response) => response.writeHead(500).end(),
  connect = (socket) => socket.destroy(),
}) {
  const server = createHttpServer(request);
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {});
    connect(socket);
  });
  return server;
}

/** A reply that would pass for an answer of the server. */
const fake = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fake', version: '1' } },
});
const frame = (type, flags, stream, payload) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

/** Serves what points to another origin, which tells when anybody comes. */
function elsewhere(answering) {
  const other = createServer((socket) => {
    console.error('ASKED ELSEWHERE');
    socket.on('error', () => {}).destroy();
  });
  other.listen(0, '127.0.0.1', () => listen(createHttpServer(answering(`http://127.0.0.1:${other.address().port}`))));
}

const behaviours = {
  'redirects-elsewhere': () =>
    elsewhere((origin) => (_request, response) => response.writeHead(307, { location: `${origin}/stolen` }).end()),
  'points-next-door': () =>
    elsewhere((origin) => (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${origin}/messages\n\n`);
    }),
  'drips-its-head': () =>
    listen(
      onBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-A: ');
        dribble(socket, () => 'a', 100);
      }),
    ),
  'drips-its-body': () =>
    listen(
      onBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n');
        dribble(socket, () => ' ', 100);
      }),
    ),
  'endless-early-hints': () =>
    listen(onBytes((socket) => dribble(socket, () => 'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'))),
  'floods-headers': () =>
    listen(
      onBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        let at = 0;
        dribble(socket, () => `X-${(at += 1)}: ${'y'.repeat(4000)}\r\n`);
      }),
    ),
  'endless-header-line': () =>
    listen(
      onBytes((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-A: ');
        dribble(socket, () => 'y'.repeat(65_536));
      }),
    ),
  'switches-protocols': () =>
    listen(
      onBytes((socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        dribble(socket, () => 'x'.repeat(65_536));
      }),
    ),
  'speaks-smtp': () =>
    listen(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.write('220 mail.test ESMTP\r\n');
      }),
    ),
  'points-elsewhere': () =>
    listen(
      createHttpServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: endpoint\ndata: http://169.254.169.254/latest\n\n');
      }),
    ),
  'tls-of-nobody': () => listen(createTlsServer(pair(), (socket) => socket.end())),
  'tls-never-shakes-hands': () => listen(onBytes(() => {})),
  'h2-resets-streams': () => listen(http2((stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR))),
  'h2-refuses-streams': () => listen(http2((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM))),
  'h2-goes-away': () => listen(http2((stream) => stream.session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM))),
  'h2-endless-continuation': () => {
    // By hand: a server of Node would not do that.
    const server = createTlsServer({ ...pair(), ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {});
      socket.write(frame(4, 0, 0, Buffer.alloc(0)));
      socket.once('data', () => {
        socket.write(frame(1, 0, 1, Buffer.from([0x88])));
        dribble(socket, () =>
          frame(9, 0, 1, Buffer.concat([Buffer.from([0x00, 0x01, 0x61, 0x7f, 0xe1, 0x1e]), Buffer.alloc(4000, 0x61)])),
        );
      });
    });
    listen(server);
  },
  'proxy-wants-credentials': () =>
    listen(
      proxy({
        request: (_request, response) => response.writeHead(407, { 'content-type': 'application/json' }).end(fake),
        connect: (socket) => socket.end(`HTTP/1.1 407 No\r\nContent-Type: application/json\r\n\r\n${fake}`),
      }),
    ),
  'proxy-hangs-up': () => listen(proxy({ request: (request) => request.socket.destroy() })),
  'proxy-never-answers': () => listen(proxy({ request: () => {}, connect: () => {} })),
  'proxy-floods-headers': () =>
    listen(
      proxy({
        connect: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          dribble(socket, () => `X-${'y'.repeat(4000)}: z\r\n`);
        },
      }),
    ),
};

behaviours[id]();
