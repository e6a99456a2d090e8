import { runCheck } from '/work/main/src/app/check.ts';
import { everything } from '/work/main/src/app/plan.ts';
import { lineOf } from '/work/main/test/support/accuracy.ts';
const [command, ...args] = process.argv.slice(2);
const t0=performance.now();
const report = await runCheck({ target: command!.startsWith('http') ? { kind: 'http', url: command!, headers: [] } : { kind: 'stdio', command: command!, args }, name: 'x', fallback: false, spec: '2025-11-25', selection: everything, timing: {}, jobs: 3, allowDestructive: false, secrets: [], toolVersion: '0', traceFile: '/tmp/gen-tasks/real.jsonl' } as any);
console.log(Math.round(performance.now()-t0),'ms', report.incomplete);
for (const v of report.verdicts) if (v.status==='fail'||v.status==='error') console.log(v.severity, lineOf(v).slice(0,400));
for (const v of report.verdicts) if (v.rule.startsWith('tasks/')) console.log(v.status, v.rule);
