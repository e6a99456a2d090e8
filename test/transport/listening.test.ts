import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { listeningAddresses, parseTable } from '../../src/client/transport/process/listening.ts';
import { openStdioProcess } from '../../src/client/transport/process/stdio-process.ts';
import { tape, withListening } from './harness.ts';

const onLinux = process.platform === 'linux';

test.runIf(onLinux)('the addresses of a process group, and of nobody else', async () => {
  const { sink, until } = tape();
  const script = `const s = require('net').createServer().listen(0, '0.0.0.0', () => console.log(JSON.stringify(s.address())));`;
  const server = await openStdioProcess({ command: process.execPath, args: ['-e', script], session: 's1', sink });
  try {
    const told = await until((event) => event.kind === 'message');
    const { port } = told.message as AddressInfo;
    expect(listeningAddresses(server.pid, port)).toEqual(['0.0.0.0']);
    expect(listeningAddresses(null, port)).toEqual(['0.0.0.0']);
    // Our own socket on another port is not the server's.
    await withListening(createServer(), async (own) => {
      expect(listeningAddresses(null, own)).toEqual(['127.0.0.1']);
      expect(listeningAddresses(server.pid, own)).toEqual([]);
    });
  } finally {
    await server.close(0);
  }
});

test.skipIf(onLinux)('elsewhere nothing is claimed', () => {
  expect(listeningAddresses(null, 80)).toBeNull();
});

test('rows of the tables of the kernel', () => {
  const row = (local: string, state: string): string =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0`;
  const table = (...rows: string[]): string => ['  sl  local_address ...', ...rows, ''].join('\n');
  expect(
    parseTable(table(row('0100007F:1F90', '0A'), row('0100007F:1F90', '01'), row('0100007F:1F91', '0A')), 8080),
  ).toEqual([{ address: '127.0.0.1', inode: '4711' }]);
  const six = (hex: string) => parseTable(table(row(`${hex}:0050`, '0A')), 80).map((one) => one.address);
  expect(six('00000000000000000000000000000000')).toEqual(['::']);
  expect(six('00000000000000000000000001000000')).toEqual(['::1']);
  expect(six('0000000000000000FFFF00000100007F')).toEqual(['::ffff:127.0.0.1']);
});
