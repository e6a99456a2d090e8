/** Has an HTTP server listen on an address that the user named. */
import type { Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { usageError } from '../../core/model/errors.ts';

/**
 * @param port 0 takes a free one
 * @throws McpcError usage when the address cannot be listened on
 */
export async function listen(server: Server, host: string, port: number): Promise<{ port: number; origin: string }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        usageError(
          `Cannot listen on ${host}:${port}: ${error.code ?? error.message}`,
          'Choose another port, or 0 for a free one.',
          error,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return { port: taken, origin: `http://${isIP(host) === 6 ? `[${host}]` : host}:${taken}` };
}
