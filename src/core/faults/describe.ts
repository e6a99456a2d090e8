/** Says in a sentence what a fault does. */
import type { Fault, MethodNames } from '../model/rules/mutation.ts';
import { operatorsOf } from './operators.ts';

/** For example `Result of tools/list: $.result.tools is left out.` */
export function describeFault(fault: Fault): string {
  return `${placeWords(fault)}: ${operatorsOf(fault)
    .map((operator) => operator.words(fault))
    .join(', ')}.`;
}

function placeWords(fault: Fault): string {
  const { reply, result, error, request, notification, where, more, nth } = fault.on;
  const kind = (
    [
      ['Answer to', reply],
      ['Result of', result],
      ['Error for', error],
      ['Request', request],
      ['Notification', notification],
    ] as const
  ).find(([, names]) => names !== undefined);
  const what = kind ? `${kind[0]} ${methodWords(kind[1]!)}` : httpWords(fault);
  const which = Object.entries(where ?? {})
    .map(([path, value]) => ` with ${path} ${JSON.stringify(value)}`)
    .join('');
  const held = more === undefined ? '' : ` that held a member more${more === 'message' ? '' : ` in ${more}`}`;
  return `${what}${which}${held}${nth === undefined ? '' : `, number ${nth}`}`;
}

function methodWords(names: MethodNames): string {
  return names === '*' ? 'any method' : [names].flat().join(', ');
}

function httpWords(fault: Fault): string {
  const { method, posted, session } = fault.on.http ?? {};
  if (operatorsOf(fault).some(({ over }) => over === 'request'))
    return `HTTP request${method === undefined ? '' : ` by ${method}`}${session === undefined ? '' : session ? ' of a session' : ' without a session'}`;
  return `HTTP reply${method === undefined ? '' : ` to ${method}`}${posted === undefined ? '' : ` of a ${posted}`}`;
}
