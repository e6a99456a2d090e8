/** Writes a fleet's dashboard into a folder: index.html, badges, and for each server its badge and, where it has a report, its page. */
import { join } from 'node:path';
import { privateMode } from '../../../files/output/draft.ts';
import { checkOutput, writeOutput, type OutputFile } from '../../../files/output/output.ts';
import { renderBadge, serverBadge } from '../../../report/fleet/badges.ts';
import type { BadgeFormat } from '../../../report/fleet/badges.ts';
import { renderFleet } from '../../../report/fleet/render.ts';
import type { FleetMaterial, FleetRenderOptions } from '../../../report/fleet/render.ts';
import { standInReport } from '../../../report/fleet/stand-in.ts';
import { renderReport } from '../../../report/parts/render.ts';
import { profileWords } from '../../../report/text.ts';

const badges: [file: string, format: BadgeFormat][] = [
  ['badge.svg', 'badge-svg'],
  ['badge.json', 'badge-json'],
];

/** @returns the path of the dashboard. @throws McpcError usage for a file that cannot be written, or a broken template */
export function writeDashboard(
  folder: string,
  material: FleetMaterial,
  { overwrite = false, ...options }: FleetRenderOptions & { overwrite?: boolean },
): string {
  const place = (path: string, more: Partial<OutputFile> = {}): OutputFile => ({
    path,
    what: 'the report',
    replaces: 'report',
    overwrite,
    sync: false,
    ...more,
  });
  const page = join(folder, 'index.html');
  // Another program's page is detected before a thousand files are written next to it.
  checkOutput(place(page));
  const back = { href: '../../index.html', text: 'All servers' };
  for (const server of material.report.servers) {
    const own = join(folder, 'servers', server.id);
    for (const [file, format] of badges)
      writeOutput(
        place(join(own, file)),
        renderBadge(serverBadge(server, profileWords(material.report.ruleSet)), format, options.templatesDir),
      );
    if (server.report === null) continue;
    const report = material.reportOf(server) ?? standInReport(material.report, server);
    // Uses the name of the fleet file, which readers know; the trace is next to the page.
    const named = {
      ...report,
      target: { ...report.target, name: server.name },
      trace: server.trace === null ? null : 'trace.jsonl',
    };
    writeOutput(
      place(join(own, 'index.html'), { mode: privateMode }),
      renderReport(named, 'html', { ...options, back }),
    );
  }
  for (const [file, format] of badges) writeOutput(place(join(folder, file)), renderFleet(material, format, options));
  writeOutput(place(page), renderFleet(material, 'html', { ...options, pages: true }));
  return page;
}
