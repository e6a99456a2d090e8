import pLimit from 'p-limit';
import { openReferenceLab } from '/work/main/test/support/reference-server.ts';
import { lineOf, mutationCases, runMutation, resolveRule } from '/work/main/test/support/accuracy.ts';
const [transport, pattern, whole] = process.argv.slice(2);
const lab = await openReferenceLab();
const limit = pLimit(3);
const cases = mutationCases().filter((c) => c.transport === transport && new RegExp(pattern!).test(c.id) && resolveRule(c.mutation.rule) !== undefined);
await Promise.all(cases.map((c) => limit(async () => {
  const t=performance.now();
  const o = await runMutation(lab, whole === undefined ? c : { ...c, whole: whole === 'whole' });
  const ok = o.byName && o.unrelated.length === 0 && o.errors.length === 0;
  console.log(ok ? 'ok  ' : 'BAD ', c.id, Math.round(performance.now()-t), o.byName ? '' : `named: ${o.named}`);
  for (const v of o.unrelated) console.log('      unrelated', lineOf(v).slice(0, 260));
  for (const v of o.errors) console.log('      error', lineOf(v).slice(0, 260));
})));
await lab.close();
