/**
 * A process that runs command lines of the built mcpc one after another: it is loaded once for all of them. Each has
 * arguments, variables, a folder and a stdin of its own; what it writes and the code that it leaves with are sent back. What a
 * process does when it ends (its children, its half-written files) is done after each, and no listener of it stays.
 */
import { Readable } from 'node:stream';

const { start } = await import(process.argv[2]);
const leave = process.exit.bind(process);
const streams = [process.stdout, process.stderr];
const writes = streams.map((stream) => stream.write.bind(stream));
const passing = ['uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM', 'SIGHUP'];
const variables = { ...process.env };
const home = process.cwd();
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

/** Makes the variables of this process those of the command. */
function setVariables(own) {
  const wanted = { ...variables, ...own };
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}

async function run({ args, env, input, folder }) {
  const told = [[], []];
  streams.forEach((stream, at) => capture(stream, told[at]));
  process.argv = [process.argv[0], 'mcpc', ...args];
  process.exitCode = undefined;
  setVariables(env);
  process.chdir(folder);
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value: Readable.from(input === '' ? [] : [Buffer.from(input)]),
  });
  const before = passing.map((name) => process.listeners(name));
  const code = await new Promise((resolve, reject) => {
    // Whoever goes on behind it says nothing more: what is written after the exit is dropped.
    process.exit = (status) => {
      streams.forEach((stream) => capture(stream, []));
      const left = Number(status ?? process.exitCode ?? 0);
      for (const listener of process.listeners('exit')) listener.call(process, left);
      resolve(left);
    };
    start(args).catch(reject);
  });
  passing.forEach((name, at) => {
    for (const listener of process.listeners(name)) if (!before[at].includes(listener)) process.off(name, listener);
  });
  streams.forEach((stream, at) => (stream.write = writes[at]));
  // The folder of the command may be removed now, and a thread that it left starting needs one.
  process.chdir(home);
  const [stdout, stderr] = told.map((chunks) => Buffer.concat(chunks).toString('utf8'));
  return { code, signal: null, stdout, stderr };
}

process.on('message', async (command) => process.send(await run(command)));
process.on('disconnect', () => leave(0));
