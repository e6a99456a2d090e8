/** Which tools were called and which were not, laid out for a reader: what is alike is folded. Same rules as view-model.ts. */
import type { RunReport } from '../core/model/reports/run-report.ts';
import { oneLine, plural, shorten } from './text.ts';

export interface CalledView {
  tool: string;
  /** `3 times`. */
  times: string;
  /** JSON texts, with how often each was sent where it was more than once. */
  arguments: string[];
}

export interface ToolsView {
  /** One sentence with numbers. */
  summary: string;
  called: CalledView[];
  /** Tools that might have been called and were not, with the reason, folded by it. */
  unused: { tools: string; why: string }[];
}

/** Something that was left out; several of a kind are one. */
export interface LeftOutView {
  what: string;
  why: string;
  /** The flag or hint that would call it, or null. */
  allow: string | null;
}

const mostNames = 40;
const longestArguments = 300;

/** Null for reports without it. */
export function toolsView({ calls, skipped }: Pick<RunReport, 'calls' | 'skipped'>): ToolsView | null {
  if (calls === undefined) return null;
  const { called, notCalled, more = 0 } = calls;
  const total = called.length + notCalled.length;
  const sent = called.reduce((sum, { times }) => sum + times, 0);
  const left = skipped.filter(({ what }) => what.startsWith('tool ')).length;
  const rest = [...(left === 0 ? [] : [`${left} left out`]), ...(more === 0 ? [] : [`${more} more not listed`])];
  const numbers =
    called.length === 0
      ? `None of ${plural(total, 'tool')} was called`
      : `${called.length} of ${plural(total, 'tool')} called, ${plural(sent, 'call')}`;
  const leftOut = new Set(skipped.map(({ what }) => what));
  return {
    summary: total === 0 ? 'No tool was seen.' : `${[numbers, ...rest].join(', ')}.`,
    called: called.map(({ tool, times, arguments: kinds, more: untold }) => ({
      tool: oneLine(tool),
      times: plural(times, 'time'),
      arguments: [
        ...kinds.map(
          (kind) =>
            `${shorten(oneLine(kind.value), longestArguments)}${kind.times === 1 ? '' : ` (${kind.times} times)`}`,
        ),
        ...(untold === undefined ? [] : [`${plural(untold, 'more call')} with other arguments`]),
      ],
    })),
    unused: fold(
      notCalled.filter(({ tool }) => !leftOut.has(`tool ${tool}`)).map(({ tool, why }) => ({ name: tool, why })),
    ).map(({ names, why }) => ({ tools: listed(names), why })),
  };
}

/** Skipped tools, one entry for each reason. */
export function leftOutView(skipped: RunReport['skipped']): LeftOutView[] {
  const tools = skipped.filter(({ what }) => what.startsWith('tool '));
  const folded = fold(
    tools.map(({ what, why, allow }) => ({
      name: what.slice('tool '.length),
      why,
      allow,
    })),
  );
  return [
    ...folded.map(
      ({ names, why, allow }): LeftOutView => ({
        what: `${names.length === 1 ? 'tool' : `${names.length} tools:`} ${listed(names)}`,
        why,
        allow:
          allow === undefined
            ? null
            : oneLine(
                names.length === 1
                  ? allow
                  : allow.replace(/^--allow-tool (?:'(?:[^']|'\\'')*'|\S+),/, '--allow-tool NAME (repeats),'),
              ),
      }),
    ),
    ...skipped
      .filter((one) => !tools.includes(one))
      .map(({ what, why }) => ({ what: oneLine(what), why: oneLine(why), allow: null })),
  ];
}

interface Folded {
  names: string[];
  why: string;
  allow?: string;
}

/** Those with one reason together; the words that it quotes are joined. */
function fold(items: readonly { name: string; why: string; allow?: string }[]): Folded[] {
  const groups = new Map<string, { names: string[]; words: Set<string>; why: string; allow?: string }>();
  for (const { name, why, allow } of items) {
    const plain = oneLine(why);
    const key = plain.replace(/"[^"]*"/, '""');
    const group = groups.get(key) ?? {
      names: [],
      words: new Set<string>(),
      why: plain,
      allow,
    };
    group.names.push(oneLine(name));
    const word = /"[^"]*"/.exec(plain)?.[0];
    if (word !== undefined) group.words.add(word);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, words, why, allow }) => ({
    names,
    why: why.replace(/"[^"]*"/, () => [...words].slice(0, mostNames).join(', ')),
    allow,
  }));
}

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, mostNames)
    .map((name) => shorten(name, 80))
    .join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
