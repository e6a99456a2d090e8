/**
 * Servers that leave processes behind, or do not want to end.
 *
 *   node leftovers.mjs <id> [port] <mark>
 */
import { spawn, spawnSync } from 'node:child_process';
import { serve, sound } from './small-mcp.mjs';

const words = process.argv.slice(2);
const [id] = words;
const port = words.length > 2 ? words[1] : undefined;
const mark = words.at(-1);

/** A process that does nothing; `deaf` to the signals that ask it to end. */
const idle = (deaf) =>
  `${deaf ? "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {});" : ''} setInterval(() => {}, 1000); /* ${mark} */`;

function start(code, { detached = false, stdio = 'ignore' } = {}) {
  const child = spawn(process.execPath, ['-e', code, 'left-by-the-server'], { detached, stdio });
  child.unref();
}

const daemon = (code = idle(false)) => start(code, { detached: true });

function ignoreSignals() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  setInterval(() => {}, 1000);
}

/** Starts itself again in a session of its own when it is asked to end, a few times. */
const comesAgain = `
const { spawn } = require('node:child_process');
const again = Number(process.argv[1]);
for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {
  if (again > 0) spawn(process.execPath, ['-e', process.env.HOSTILE_CODE, String(again - 1)], { detached: true, stdio: 'ignore' }).unref();
  process.exit(0);
});
setInterval(() => {}, 1000); /* ${mark} */`;

const behaviours = {
  'ignores-signals': () => {
    ignoreSignals();
    serve(port, { closing: () => {} });
  },
  'starts-a-daemon': () => {
    daemon();
    serve(port);
  },
  'starts-a-deaf-daemon': () => {
    daemon(idle(true));
    serve(port);
  },
  'daemon-by-two-forks': () => {
    // Served is when the parent is gone: a quick check would else end it before it forks.
    spawnSync(process.execPath, [
      '-e',
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(idle(false))}], { detached: true, stdio: 'ignore' }).unref()`,
    ]);
    serve(port);
  },
  'child-holds-pipes': () => {
    start(idle(true), { stdio: 'inherit' });
    serve(port);
  },
  'daemon-holds-pipes': () => {
    start(idle(true), { stdio: 'inherit', detached: true });
    serve(port);
  },
  'daemon-when-asked-to-end': () => {
    process.on('SIGTERM', () => {
      daemon();
      process.exit(0);
    });
    setInterval(() => {}, 1000);
    serve(port, { closing: () => {} });
  },
  'daemon-at-each-call': () => {
    serve(port, {
      answers: {
        ...sound,
        ping: () => {
          daemon();
          return {};
        },
      },
    });
  },
  'daemon-that-comes-again': () => {
    process.env.HOSTILE_CODE = comesAgain;
    spawn(process.execPath, ['-e', comesAgain, '3'], { detached: true, stdio: 'ignore' }).unref();
    serve(port);
  },
  'daemon-and-gone': () => {
    daemon();
    setTimeout(() => process.exit(1), 100);
  },
};

behaviours[id]();
