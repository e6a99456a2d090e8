/** Finds the local addresses on which a port listens. It only looks; it opens no socket. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { append } from '../../../core/model/lists.ts';
import { groupMembers } from './process-registry.ts';

/** The state LISTEN in the tables of the kernel. */
const listenState = '0A';

interface Listener {
  address: string;
  inode: string;
}

/**
 * Local addresses that listen on a TCP port, for example `127.0.0.1`, `0.0.0.0`, `::`, sorted.
 *
 * With a process group only the sockets of its processes count, so that a stranger on the same port of another
 * address is not blamed on it. Null where it cannot be known: not Linux, or the processes may not be looked at.
 */
export function listeningAddresses(pidGroup: number | null, port: number): string[] | null {
  if (process.platform !== 'linux') return null;
  const listeners: Listener[] = [];
  let tables = 0;
  for (const name of ['tcp', 'tcp6']) {
    try {
      append(listeners, parseTable(readFileSync(`/proc/net/${name}`, 'latin1'), port));
      tables += 1;
    } catch {
      // IPv6 may be switched off.
    }
  }
  if (tables === 0) return null;
  const inodes = pidGroup === null ? null : socketInodes(pidGroup);
  if (pidGroup !== null && inodes === null) return null;
  const addresses = listeners.filter((one) => inodes === null || inodes.has(one.inode)).map((one) => one.address);
  return [...new Set(addresses)].sort();
}

/** Rows of /proc/net/tcp or tcp6 that listen on the port. */
export function parseTable(table: string, port: number): Listener[] {
  const found: Listener[] = [];
  for (const row of table.split('\n').slice(1)) {
    const columns = row.trim().split(/\s+/);
    const [, local, , state] = columns;
    const inode = columns[9];
    if (local === undefined || inode === undefined || state !== listenState) continue;
    const [hex, hexPort] = local.split(':');
    if (hex === undefined || hexPort === undefined || Number.parseInt(hexPort, 16) !== port) continue;
    found.push({ address: hex.length === 8 ? ipv4(hex) : ipv6(hex), inode });
  }
  return found;
}

/** Bytes of a table's address in network order; the table holds each 32-bit word in the order of the host. */
function addressBytes(hex: string): number[] {
  const bytes: number[] = [];
  for (let word = 0; word < hex.length; word += 8) {
    for (let at = word + 6; at >= word; at -= 2) bytes.push(Number.parseInt(hex.slice(at, at + 2), 16));
  }
  return bytes;
}

function ipv4(hex: string): string {
  return addressBytes(hex).join('.');
}

function ipv6(hex: string): string {
  const bytes = addressBytes(hex);
  if (bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255)
    return `::ffff:${bytes.slice(12).join('.')}`;
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((((bytes[i] as number) << 8) | (bytes[i + 1] as number)).toString(16));
  // The URL parser writes the short form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Inodes of the sockets that the processes of a group hold; null when none of them may be looked at. */
function socketInodes(pidGroup: number): Set<string> | null {
  const members = groupMembers(pidGroup);
  if (members === null) return null;
  const inodes = new Set<string>();
  let readable = 0;
  for (const pid of members) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        try {
          const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`));
          if (match) inodes.add(match[1] as string);
        } catch {
          // Closed while we looked.
        }
      }
      readable += 1;
    } catch {
      // Ended, or it runs as another user.
    }
  }
  return readable === 0 ? null : inodes;
}
