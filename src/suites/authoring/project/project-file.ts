/** The text of a new `mcpc.yaml`. Pure but for the templates of the package. */
import { literalPattern } from '../../../check/fleet-file/select-entries.ts';
import { renderTemplate } from '../../../report/handlebars/templates.ts';
import type { ServerDraft } from './server-draft.ts';

/** Where the files of a server are. */
export interface ServerPlaces {
  /** Folder of its suites. */
  suites: string;
  baseline: string;
}

/** Of the only server, or of one of several. */
export function placesOf({ name }: ServerDraft, folder: string, isOnly: boolean): ServerPlaces {
  if (isOnly) return { suites: folder, baseline: 'mcpc-baseline.json' };
  const short = name.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '') || 'server';
  return { suites: `${folder}/${short}`, baseline: `mcpc-baselines/${short}.json` };
}

/**
 * @param folder of the suites
 * @param hasSuites whether the server offers anything that a case could be written for
 */
export function projectFileText(
  drafts: readonly ServerDraft[],
  folder: string,
  hasSuites: (draft: ServerDraft) => boolean,
): string {
  const isOnly = drafts.length === 1;
  const all = drafts.map((draft) => {
    const { suites, baseline } = placesOf(draft, folder, isOnly);
    return { draft, baseline, suites: !isOnly && hasSuites(draft) ? suites : null };
  });
  return renderTemplate('project-file', {
    servers: all.flatMap(({ draft: { name, reach }, ...places }) =>
      reach.kind === 'include'
        ? []
        : [
            {
              name,
              url: reach.kind === 'url' ? reach.url : null,
              command: reach.kind === 'command' ? reach.command : null,
              args: reach.kind === 'command' ? reach.args : [],
              ...places,
            },
          ],
    ),
    included: all.flatMap(({ draft: { name, reach }, ...places }) =>
      reach.kind === 'include' ? [{ file: reach.file, only: literalPattern(name), ...places }] : [],
    ),
    suites: isOnly && hasSuites(drafts[0]!) ? folder : null,
  });
}
