/**
 * Rules of level MAY. Such a rule is judged as one that holds wherever something is used: each subject that uses a
 * permitted feature passes, all others are not judged. Its judge reports `used` for passes and `not-seen` otherwise.
 */
import type { FeatureFile, RuleFile, RulePlace } from '../model/rules/rule.ts';
import { requirementAt, type Catalogue } from '../spec/requirements/catalogue.ts';

type Report = (path: string, message: string) => void;

/** Members of rules that can be broken. */
const notOfFeatures = [
  'expect',
  'message',
  'fix',
  'advice',
  'applies',
  'optional',
  'onlyIf',
  'mutation',
  'client',
] as const;

/** The rule with its use in place of what has to hold; it has no texts, since nothing of it can fail. */
export function asRule({ uses, when, ...file }: FeatureFile): RuleFile {
  return { ...file, when: when === undefined ? uses : { all: [when, uses] }, expect: uses, message: '', fix: '' };
}

/** Finds what does not belong together: members and verdicts of examples of the other sort of rule. */
export function checkFeature(rule: RuleFile | FeatureFile, report: Report): void {
  const verdicts = rule.examples.map(({ verdict }) => verdict);
  const isOfFeatures = (verdict: string): boolean => verdict === 'used' || verdict === 'not-seen';
  if (rule.uses === undefined) {
    for (const [index, verdict] of verdicts.entries())
      if (isOfFeatures(verdict))
        report(
          `examples[${index}].verdict`,
          `${verdict} is of rules of level MAY, which have "uses" in place of "expect"`,
        );
    return;
  }
  for (const name of notOfFeatures)
    if (name in rule) report(name, 'a rule of level MAY, which has "uses", cannot be broken and has no such member');
  for (const [index, verdict] of verdicts.entries())
    if (!isOfFeatures(verdict))
      report(`examples[${index}].verdict`, `a rule of level MAY says used or not-seen, never ${verdict}`);
  for (const verdict of ['used', 'not-seen'] as const)
    if (!verdicts.includes(verdict)) report('examples', `has none with the verdict ${verdict}`);
}

/** The places at which one of the requirements is a permission; where all of them are duties there is nothing to use. */
export function featurePlaces(
  rule: RuleFile,
  catalogue: Catalogue,
  places: Record<string, RulePlace>,
  report: Report,
): Record<string, RulePlace> {
  const permitted = Object.entries(places).filter(([, { level }]) => level === 'MAY');
  if (permitted.length === 0 && rule.requirement.some((id) => catalogue.byId.has(id)))
    report('requirement', 'a rule with "uses" needs requirements of level MAY');
  for (const [revision] of permitted) {
    for (const [index, id] of rule.requirement.entries()) {
      const found = requirementAt(catalogue, id, revision as Parameters<typeof requirementAt>[2]);
      if (found !== null && found.level !== 'MAY')
        report(`requirement[${index}]`, `is a ${found.level} in ${revision}, and no permission`);
    }
  }
  return Object.fromEntries(permitted);
}
