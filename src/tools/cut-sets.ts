/**
 * Cuts the frozen rule sets of a release: rules/sets/<revision>.json names the rules that hold in a revision
 * today. `--set <revision>` judges by it, so that later rules leave scores comparable. An existing set is
 * only replaced with `--force`, since that breaks the promise. Rules of level MAY do not score and belong to every set.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readGeneratedPlan } from '../check/plan.ts';
import { rulesFolder, packageRoot } from '../files/package/package-root.ts';
import { revisions } from '../core/spec/revisions.ts';

const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
const { version } = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
const plan = readGeneratedPlan();
const folder = path.join(rulesFolder(), 'sets');
mkdirSync(folder, { recursive: true });
for (const revision of revisions) {
  const file = path.join(folder, `${revision}.json`);
  if (existsSync(file) && !values.force) {
    console.log(`${revision}: kept as it was cut`);
    continue;
  }
  const rules = plan.rules
    .filter((rule) => rule.at[revision] !== undefined && rule.feature !== true)
    .map((rule) => rule.id);
  writeFileSync(
    file,
    `${JSON.stringify({ format: 'mcpc-rule-set', version: 1, revision, cutWith: version, rules }, null, 2)}\n`,
  );
  console.log(`${revision}: ${rules.length} rules`);
}
