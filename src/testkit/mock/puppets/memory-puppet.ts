/** A puppet on pipes in memory, for the many examples in which the process of a server does not matter. */
import type { RuleExample } from '../../../core/model/rules/rule.ts';
import type { ServeInMemory } from '../../../client/transport/process/memory-server.ts';
import { parseNotation, type NotationAct } from '../../../core/trace/notation.ts';
import type { Part } from '../script/reading.ts';
import { compileScript, type ScriptSetting } from '../script.ts';
import { runStdioPuppet } from './stdio-puppet.ts';

/**
 * The puppet of an example, one server for each connection.
 * @throws NotationError for a wrong line of the example
 */
export function memoryPuppet(example: RuleExample, setting: ScriptSetting): (part: Part) => ServeInMemory {
  const script = compileScript(example, setting);
  const claims = new Set<number>();
  const claim = (section: number): boolean => !claims.has(section) && Boolean(claims.add(section));
  return (part) => (pipes) => {
    let open = true;
    runStdioPuppet({
      script,
      part,
      claim,
      host: {
        input: pipes.stdin,
        write(bytes) {
          if (open) pipes.stdout.write(bytes);
        },
        closeOutput() {
          open = false;
          pipes.stdout.end();
        },
        exit(code, signal) {
          open = false;
          pipes.exit(code, signal as NodeJS.Signals | null);
        },
        // The side that closes the connection ends it.
        outlive: () => {},
      },
    });
  };
}

/**
 * True if an example needs a process: for its end, for closing stdin or stdout, for cutting bytes into lines, or for
 * bytes that are not text.
 */
export function needsProcess(example: RuleExample): boolean {
  return parseNotation(example.trace).some(isOfProcess);
}

function isOfProcess(act: NotationAct): boolean {
  switch (act.act) {
    case 'exit':
    case 'close-stdin':
    case 'server-closed':
    case 'server-raw':
      return true;
    case 'timeout':
      return act.what === 'exit';
    case 'server-message':
      return act.encoding !== undefined;
    default:
      return 'framing' in act && act.framing !== undefined;
  }
}
