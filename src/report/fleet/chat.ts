/** One line of plain text for a chat. Names of servers can neither mention anybody nor become a link or a command. */
import type { FleetView } from './view.ts';
import { plural, shorten } from '../text.ts';

export function renderChat(view: FleetView): string {
  const { changes } = view;
  const worst =
    changes === null
      ? []
      : [
          ...changes.regressions
            .filter((rule) => rule.counts)
            .flatMap((rule) => rule.servers.filter(({ known }) => !known).map(({ name }) => name)),
          ...changes.lost.map((server) => server.name),
        ];
  const parts = [
    `MCP fleet ${view.startedAt.slice(0, 10)}: ${view.headline}`,
    view.profile ?? '',
    view.mean === '–' ? '' : `mean score ${view.mean}`,
    changes === null
      ? ''
      : changes.worse === 0
        ? `no regression since ${changes.since.slice(0, 10)}`
        : `${plural(changes.worse, 'regression')} (${sample([...new Set(worst)])})`,
    changes === null || changes.fixed === 0 ? '' : `${changes.fixed} fixed`,
    view.unreachable === 0 ? '' : `${view.unreachable} without a verdict`,
    view.policiesHeld ? '' : plural(view.broken.length + view.moreBroken, 'broken policy', 'broken policies'),
    view.incomplete === null ? '' : 'run incomplete',
  ];
  return `${parts.filter((part) => part !== '').join(' · ')}\n`;
}

function sample(names: readonly string[]): string {
  const shown = names
    .slice(0, 3)
    .map((name) => shorten(harmless(name), 40))
    .join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Signs that chats read as mentions, links, emphasis or commands become their look-alikes. */
function harmless(name: string): string {
  const alike: Record<string, string> = {
    '<': '‹',
    '>': '›',
    '@': '＠',
    '#': '＃',
    '*': '∗',
    _: '＿',
    '`': 'ˋ',
    '~': '∼',
    '[': '［',
    ']': '］',
    '|': '¦',
    '/': '∕',
    ':': '∶',
    '&': '＆',
    '!': '！',
  };
  return name.replace(/[<>@#*_`~[\]|/:&!]/g, (sign) => alike[sign]!);
}
