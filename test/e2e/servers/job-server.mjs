/**
 * A stdio server that announces jobs by notifications of its own, for the rules of examples/house.
 *
 *   node job-server.mjs good | bad
 */
import { createInterface } from 'node:readline';

const bad = process.argv[2] === 'bad';
let tickets = 0;
let lists = 0;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => send({ method, params });

function runJob() {
  const job = `job-${(tickets += 1)}`;
  const statuses = bad ? ['queued', 'done', 'running'] : ['queued', 'running', 'done'];
  if (!bad) notify('notifications/acme/started', { job });
  for (const status of statuses) notify('notifications/acme/job', { id: job, status });
  notify('notifications/acme/finished', { job });
  if (bad) notify('notifications/acme/started', { job });
  return { content: [{ type: 'text', text: job }], structuredContent: { ticket: bad ? 'same' : job } };
}

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'jobs', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'get_job', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  }),
  'tools/call': runJob,
  'acme/status': () => ({ load: 0.5 }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  if (!result) send({ id, error: { code: -32601, message: 'Method not found' } });
  // The bad one is slow every second time that it lists its tools.
  else if (bad && method === 'tools/list' && (lists += 1) % 2 === 0)
    setTimeout(() => send({ id, result: result() }), 220);
  // It never answers a status request.
  else if (method !== 'acme/status' || !bad) send({ id, result: result(params ?? {}) });
});
