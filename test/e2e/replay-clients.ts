/**
 * `npm run replay:clients`: clients of both SDKs, and the command line of the Inspector, talk to servers and
 * then to `mcpc replay` of what was recorded. Prints what differs, message by message apart from ids and times, whose
 * verdicts differ, and how long answers took. Ends with 1 where something differs.
 *
 *   --inspector DIR   a folder with node_modules of @modelcontextprotocol/inspector and of a Node 22.19 or later
 *   --node FILE       that Node
 *   --fleet DIR       servers of DIR/fleet.json instead of those of this repository
 *   --only A,B        servers by name
 *   --out FILE        what differs
 *   --keep DIR        an existing folder that gets the traces
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { inspectorClient, sdkClients } from '../replay/fidelity/clients.ts';
import { measure, writeDifferences, type Fidelity } from '../replay/fidelity/measure.ts';
import { fleetSubjects, subjects } from '../replay/fidelity/subjects.ts';

const { values } = parseArgs({
  options: {
    inspector: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    fleet: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
    keep: { type: 'string' },
  },
});
const entry = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const clients = [
  ...sdkClients,
  ...(values.inspector === undefined ? [] : [inspectorClient(values.node, join(values.inspector, entry))]),
];
const names = values.only?.split(',');
const chosen = (values.fleet === undefined ? subjects : fleetSubjects(values.fleet)).filter(
  ({ name }) => names === undefined || names.includes(name),
);
const work = values.keep ?? mkdtempSync(join(tmpdir(), 'mcpc-fidelity-'));
const rows: Fidelity[] = [];
try {
  for (const subject of chosen)
    for (const client of clients) {
      const row = await measure(subject, client, work);
      rows.push(row);
      if (values.out !== undefined) writeDifferences(values.out, rows);
      process.stderr.write(`${row.subject} ${row.client}: ${row.apart ?? `${row.differences.length} differ`}\n`);
    }
} finally {
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
}
const table = new Table({
  head: ['server', 'client', 'messages', 'differ', 'rules', 'differ', 'live ms', 'replay ms'],
});
for (const row of rows)
  table.push(
    row.apart === undefined
      ? [
          row.subject,
          row.client,
          row.messages,
          row.differences.length,
          row.decided,
          row.verdicts.length,
          Math.round(row.liveMs),
          Math.round(row.replayMs),
        ]
      : [row.subject, row.client, { colSpan: 6, content: row.apart.slice(0, 80) }],
  );
console.log(table.toString());
const met = rows.filter(({ apart }) => apart === undefined);
const equal = met.filter(({ differences, verdicts }) => differences.length === 0 && verdicts.length === 0);
const sum = (of: (row: Fidelity) => number): number => met.reduce((total, row) => total + of(row), 0);
console.log(
  `${equal.length} of ${met.length} conversations equal, of ${new Set(met.map(({ subject }) => subject)).size} servers; ` +
    `${sum(({ messages }) => messages)} messages, ${sum(({ decided }) => decided)} verdicts. ` +
    `Replayed answers took ${(sum(({ replayMs }) => replayMs) / sum(({ liveMs }) => liveMs)).toFixed(2)} of the live time.`,
);
process.exitCode = equal.length === met.length ? 0 : 1;
