/** A stimulus as a reader of a report takes it in: one line a step, those within a step below it. */
import { asText } from '../../core/model/json.ts';
import type { Step } from '../../core/model/rules/rule.ts';
import { objectStep, wordStep } from '../../client/steps/table.ts';

const longestDetail = 100;

/**
 * @param most maximum number of lines; the last one then gives the number of the others
 * @returns lines; steps within a step are indented by two spaces
 */
export function outlineOf(stimulus: readonly Step[], most = Infinity): string[] {
  const lines = linesOf(stimulus);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more`];
}

function linesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (typeof step === 'string') return [firstSentence(wordStep(step).says)];
    const { name, says, within, heading } = objectStep(step);
    const lists = within?.(step) ?? [];
    if (lists.length === 0) return [headOf(step, name, says)];
    const nested = lists.flatMap((list, index) =>
      lists.length === 1
        ? linesOf(list)
        : [`${index === 0 ? 'on one side' : 'meanwhile'}`, ...linesOf(list).map(indented)],
    );
    return [heading?.(step) ?? firstSentence(says), ...nested.map(indented)];
  });
}

/** The message that the step sends, if it is fixed; else the action of the step and its options. */
function headOf(step: Record<string, unknown>, name: string, says: string): string {
  const { [name]: own, ...others } = step;
  if (name === 'request' || name === 'notify')
    return `${name === 'request' ? 'Request' : 'Notification'} ${asText(own)}${detail(others)}`;
  return `${firstSentence(says)}${detail(own === true ? others : step)}`;
}

/** The rest of a step as it is written, and the name by which later steps know it, and what it breaks on purpose. */
function detail(given: Record<string, unknown>): string {
  const { as, deviation, ...shown } = given;
  const name = `${typeof as === 'string' ? `, called "${as}"` : ''}${typeof deviation === 'string' ? `; on purpose it ${deviation}` : ''}`;
  if (Object.keys(shown).length === 0) return name;
  const text = JSON.stringify(shown);
  return ` ${text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text}${name}`;
}

function firstSentence(says: string): string {
  const [sentence] = says.split('. ');
  const [first] = sentence!.split(': ');
  return first!.endsWith('.') ? first!.slice(0, -1) : first!;
}

function indented(line: string): string {
  return `  ${line}`;
}
