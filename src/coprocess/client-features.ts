/** Reads what the client of a coprocess declares. */
import { usageError } from '../core/model/errors.ts';
import { readFeaturesFile } from '../suites/language/file/features-file.ts';
import type { ClientFeatures } from '../suites/language/model.ts';

/**
 * Capabilities and answers of the client in a file.
 * @throws McpcError usage naming file, line and column
 */
export function clientFeatures(file: string, text: string): ClientFeatures | undefined {
  const { features, problems } = readFeaturesFile(text);
  const wrong = problems.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0)
    throw usageError(
      wrong.map(({ line, column, text: words }) => `${file}:${line}:${column}: ${words}`).join('\n'),
      'It holds what client_capabilities of a suite holds; see docs/suites.md.',
    );
  return features;
}
