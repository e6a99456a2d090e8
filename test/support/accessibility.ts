/** What axe finds on a page of a browser. */
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Violations, each with the first places; and the ids of the checks that passed. @param part a selector, for a part of the page */
export async function accessibilityOf(page: Page, part = 'html'): Promise<{ violations: string[]; passes: string[] }> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<AxeResults>(`axe.run('${part}')`);
  return {
    violations: violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.html.slice(0, 160))
          .slice(0, 4)
          .join(' | ')}`,
    ),
    passes: passes.map(({ id }) => id),
  };
}
