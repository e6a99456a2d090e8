/** The value of --spec where several revisions may be named. */
import { usageError } from '../../../../core/model/errors.ts';
import type { Revision } from '../../../../core/model/rules/requirement.ts';
import { suggestion } from '../../../../core/model/suggestion.ts';
import { isKnownRevision, revisions } from '../../../../core/spec/revisions.ts';

/**
 * One revision or `auto`, as `spec`; several, or `each`, as `specs` (then `spec` is `auto`).
 * @throws McpcError usage for what is no revision
 */
export function specsOf(value: string): { spec: Revision | 'auto'; specs?: 'each' | Revision[] } {
  const names = value.split(',').map((name) => name.trim());
  if (names.length === 1 && (names[0] === 'auto' || names[0] === 'each'))
    return names[0] === 'auto' ? { spec: 'auto' } : { spec: 'auto', specs: 'each' };
  const known = [...new Set(names)].map((name) => {
    if (isKnownRevision(name)) return name;
    if (name === 'auto' || name === 'each')
      throw usageError(
        `--spec ${name} cannot be combined with other revisions.`,
        `Use --spec ${name}, or name the revisions.`,
      );
    throw usageError(
      `There is no revision "${name}".${suggestion(name, ['auto', 'each', ...revisions])}`,
      `Use auto, each, or one or more of ${revisions.join(', ')}.`,
    );
  });
  return known.length === 1 ? { spec: known[0]! } : { spec: 'auto', specs: known };
}
