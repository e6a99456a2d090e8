/** Says in a sentence what a fault does. */
import type { Fault, MethodNames } from '../model/rules/mutation.ts';
import { operatorsOf } from './operators.ts';

/** For example `Result of tools/list: $.result.tools is left out.` */
export function describeFault(fault: Fault): string {
  return `${placeWords(fault)}: ${operatorsOf(fault).map((operator) => operator.words(fault)).join(', ')}.`;
}

function placeWords({ on: { reply, result, error, request, notification, http, where, nth } }: Fault): string {
  const kind = ([['Answer to', reply], ['Result of', result], ['Error for', error], ['Request', request], ['Notification', notification]] as const).find(([, names]) => names !== undefined);
  const what = kind ? `${kind[0]} ${methodWords(kind[1]!)}` : `HTTP reply${http?.method === undefined ? '' : ` to ${http.method}`}${http?.posted === undefined ? '' : ` of a ${http.posted}`}`;
  const which = Object.entries(where ?? {}).map(([path, value]) => ` with ${path} ${JSON.stringify(value)}`).join('');
  return `${what}${which}${nth === undefined ? '' : `, number ${nth}`}`;
}

function methodWords(names: MethodNames): string {
  return names === '*' ? 'any method' : [names].flat().join(', ');
}
