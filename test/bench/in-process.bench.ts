/**
 * Ten sessions with a server object in this process, one call each, beside ten with the same server started as a process;
 * both by turns on this machine. Needs `npm run build`.
 *
 *   npx tsx test/bench/in-process.bench.ts [rounds]
 */
import { fileURLToPath } from 'node:url';
import { createServer } from '../api/servers/objects.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
// The package as others import it.
const { connect } = (await import(`${root}dist/api/index.mjs`)) as typeof import('../../src/api/index.ts');
const rounds = Number(process.argv[2] ?? 3);
const command = [process.execPath, `${root}test/api/servers/objects.mjs`, '1'];

async function ten(target: Parameters<typeof connect>[0]): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < 10; n += 1) {
    const session = await connect(target);
    const { result } = await session.call('greet', { name: String(n) });
    const { greeting } = (result?.['structuredContent'] ?? {}) as { greeting?: string };
    if (greeting !== `Hello, ${n}!`) throw new Error(`another answer: ${greeting}`);
    await session.close();
  }
  return performance.now() - began;
}

const inside = (): ReturnType<typeof createServer> => createServer(1);
await ten(inside);
const ratios: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const [object, processes] = [await ten(inside), await ten(command)];
  ratios.push(object / processes);
  console.log(
    `round ${round}: ${object.toFixed(0)} ms in this process, ${processes.toFixed(0)} ms with ten started servers: ${(object / processes).toFixed(3)}`,
  );
}
const median = ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!;
console.log(`median ${median.toFixed(3)}; it should be 0.1 or less`);
