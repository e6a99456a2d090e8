/**
 * A process that runs command lines of the built mcpc one after another, for tests that look at help, messages and
 * small outputs: it is loaded once for all of them. What a command writes and the code that it leaves with are sent back.
 */
const { main } = await import(process.argv[2]);
const leave = process.exit.bind(process);
const streams = [process.stdout, process.stderr];
const writes = streams.map((stream) => stream.write.bind(stream));
process.setMaxListeners(0);
for (const stream of streams) stream.setMaxListeners(0);

/** Takes what is written to a stream. */
function capture(stream, chunks) {
  stream.write = (chunk, encoding, done) => {
    chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8'));
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
}

async function run(args) {
  const told = [[], []];
  streams.forEach((stream, at) => capture(stream, told[at]));
  process.argv = [process.argv[0], 'mcpc', ...args];
  const code = await new Promise((resolve, reject) => {
    // Whoever goes on behind it says nothing more: what is written after the exit is dropped.
    process.exit = (status) => {
      streams.forEach((stream) => capture(stream, []));
      resolve(status ?? process.exitCode ?? 0);
    };
    main(args).catch(reject);
  });
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);
  streams.forEach((stream, at) => (stream.write = writes[at]));
  const [stdout, stderr] = told.map((chunks) => Buffer.concat(chunks).toString('utf8'));
  return { code, signal: null, stdout, stderr };
}

process.on('message', async (args) => process.send(await run(args)));
process.on('disconnect', () => leave(0));
