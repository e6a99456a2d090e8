/** The value of `--listen`: an address of this machine and a port, or a port alone. */
import { usageError } from '../../../../core/model/errors.ts';

/** @throws McpcError usage for a text that is no address */
export function listenAddress(text: string): { host: string; port: number } {
  const match = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d{1,5})$/.exec(
    /^\d+$/.test(text) ? `127.0.0.1:${text}` : text,
  );
  const port = Number(match?.groups?.['port']);
  if (!match || port > 65_535)
    throw usageError(`"${text}" is no address to listen on.`, 'As in: --listen 127.0.0.1:9000.');
  return { host: match.groups?.['six'] ?? (match.groups?.['host'] || '127.0.0.1'), port };
}
