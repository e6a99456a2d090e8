/** The profile of a client, as pages and terminals show it: what it declared, and what it was seen to do. */
import type { ClientProfile } from '../../core/model/rules/client-profile.ts';
import { oneLine } from '../text.ts';
import { indent, type Pen } from '../terminal-finding.ts';

export interface ProfileView {
  /** As in `example-client 1.0.0`; null where it did not say. */
  client: string | null;
  requested: string;
  declared: string;
  rows: { title: string; seen: boolean; times: number; events: string }[];
}

/** Null where no client is judged. */
export function profileView({ profile }: { profile?: ClientProfile }): ProfileView | null {
  if (profile === undefined) return null;
  const { clientInfo, requested, declared, abilities } = profile;
  const client = [clientInfo?.title ?? clientInfo?.name, clientInfo?.version].filter((one) => one !== undefined);
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.map(oneLine).join(', '));
  return {
    client: client.length === 0 ? null : oneLine(client.join(' ')),
    requested: list(requested),
    declared: list(declared),
    rows: abilities.map(({ title, times, events }) => ({
      title: oneLine(title),
      seen: times > 0,
      times,
      events: events.join(', '),
    })),
  };
}

export function profileLines(view: ProfileView | null, pen: Pen): string[] {
  if (view === null) return [];
  const { c } = pen;
  const names = (seen: boolean): string =>
    view.rows
      .filter((row) => row.seen === seen)
      .map(({ title }) => title)
      .join('; ');
  return [
    '',
    `${c.bold('Profile')}  ${view.client ?? 'a client without clientInfo'}`,
    ...indent(`Asked for: ${view.requested}`, 2, pen),
    ...indent(`Declared: ${view.declared}`, 2, pen),
    ...indent(`Seen: ${names(true) || 'nothing'}`, 2, pen),
    ...indent(c.dim(`Not seen: ${names(false) || 'nothing'}`), 2, pen),
  ];
}
