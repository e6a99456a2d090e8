/** A server that refuses whatever does not fit its schemas, with eight tools that each have one defect beside a sound one. FUZZ_LOG names a file for what it receives, MENDED mends the defects. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';

const mended = process.env.MENDED === 'yes';
const ajv = new Ajv2020({ strict: false });
/** After the answer has gone; LATE says how many milliseconds after. */
const dieLater = () =>
  process.env.LATE ? setTimeout(() => process.exit(4), Number(process.env.LATE)) : setImmediate(() => process.exit(4));
const text = (one) => ({ content: [{ type: 'text', text: one }] });
const failed = (one) => ({ ...text(one), isError: true });
const inputSchema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 0, maximum: 50 },
    unit: { enum: ['km', 'mi'] },
  },
  required: ['query'],
  additionalProperties: false,
};
const fits = ajv.compile(inputSchema);
const trace = `Error: no such file\n    at open (${import.meta.filename}:10:5)`;

/** Name to what is done before the schema is asked, and behind it; what neither answers is answered soundly. */
const tools = {
  get_sound: {},
  search_blank: { after: ({ query }) => query === '' && process.exit(3) },
  search_long: { after: ({ query }) => query.length > 3000 && 'silence' },
  search_path: { after: ({ query }) => query.includes('../') && failed(trace) },
  search_missing: { before: ({ query }) => query === undefined && text('all') },
  search_negative: { before: ({ limit }) => limit < 0 && text('none') },
  search_emoji: { after: ({ query }) => /\p{Extended_Pictographic}/u.test(query) && (dieLater(), text('ok')) },
  search_lines: { after: ({ query }) => query.includes('\n') && { content: 'text' } },
  search_quote: {
    after: ({ query }) => query.includes("'") && { error: { code: -32603, message: 'syntax error near quote' } },
  },
};

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
function called({ name, arguments: given }) {
  const { before, after } = mended ? {} : tools[name];
  const early = before?.(given ?? {});
  if (early) return early;
  if (!fits(given ?? {})) return failed(ajv.errorsText(fits.errors));
  return after?.(given) || text(`Found ${given.query.length}.`);
}
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (process.env.FUZZ_LOG) appendFileSync(process.env.FUZZ_LOG, `${line}\n`);
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'initialize')
      say({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'fuzzed', version: '1' },
        },
      });
    else if (method === 'ping') say({ id, result: {} });
    else if (method === 'tools/list')
      say({
        id,
        result: {
          tools: Object.keys(tools).map((name) => ({
            name,
            description: 'Searches.',
            inputSchema,
            annotations: { readOnlyHint: true },
          })),
        },
      });
    else if (method === 'tools/call') {
      const answer = called(params);
      if (answer !== 'silence') say(answer.error ? { id, error: answer.error } : { id, result: answer });
    } else say({ id, error: { code: -32601, message: 'Method not found' } });
  })
  .on('close', () => process.exit(0));
