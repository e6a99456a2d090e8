/** A situation as a reader takes it in: what the server does, and what the client has to do or to declare. */
import type {
  ClientAct,
  Situation,
  SituationAnswer,
  SituationAsk,
  SituationGuard,
} from '../../core/model/rules/situation.ts';
import { deviationList, type Deviation } from '../../server/authorization/deviations.ts';

/** One line for each thing that is special, none for a faultless server that asks for nothing. */
export function outlineOf(situation: Situation): string[] {
  const { needs = [], unless = [], offers, answers = [], asks = [], closes, guard, drive = [] } = situation;
  return [
    ...(needs.length > 0 ? [`The client declares ${needs.join(' and ')}.`] : []),
    ...(unless.length > 0 ? [`The client does not declare ${unless.join(' or ')}.`] : []),
    ...(offers?.withoutCapabilities ? [`The server has no ${offers.withoutCapabilities.join(' and no ')}.`] : []),
    ...(offers?.withoutNotifications ? [`The server sends no ${offers.withoutNotifications.join(' and no ')}.`] : []),
    ...(offers?.tools ? [`The server offers the tools ${offers.tools.map(({ name }) => name).join(', ')}.`] : []),
    ...answers.map(answerLine),
    ...asks.map(askLine),
    ...(closes ? [`Once ${closes.after} is answered, the server forgets the session.`] : []),
    ...(guard ? guardLines(guard) : []),
    ...(drive.length > 0 ? [`The client ${drive.map(actWords).join(', ')}.`] : []),
  ];
}

function guardLines({ client, differs = [] }: SituationGuard): string[] {
  return [
    'The server requires a token of a test authorization server.',
    ...differs.map((name) => `${deviationList[name as Deviation].says}.`),
    ...(client ? ['The authorization server knows the client, which is given its credentials.'] : []),
  ];
}

const formWords: Readonly<Record<NonNullable<SituationAnswer['as']>, string>> = {
  json: 'one JSON object',
  stream: 'an event stream',
  commented: 'an event stream with comment lines',
  capitals: 'names of headers in capitals',
};

function answerLine({
  to = 'the first request',
  result,
  error,
  as,
  bare,
  once,
  emptyCursor,
  never,
  cut,
  despiteCancel,
  deviation,
}: SituationAnswer): string {
  const how = [
    ...(result ? [`a result with ${JSON.stringify(result)}`] : []),
    ...(error ? [`the error ${error.code}`] : []),
    ...(as ? [formWords[as]] : []),
    ...(bare ? ['a status alone'] : []),
    ...(emptyCursor ? ['an empty nextCursor'] : []),
    ...(never ? ['nothing'] : []),
    ...(despiteCancel ? ['its result once the client has cancelled it'] : []),
    ...(cut ? ['a stream whose connection drops before the answer'] : []),
  ].join(', ');
  return `The server answers ${once ? 'the first ' : ''}${to} with ${how}${deviation === undefined ? '' : `: it ${deviation}`}.`;
}

function askLine({ during, method, batch, params, message, cancelled, deviation }: SituationAsk): string {
  const what = batch === undefined ? (method ?? JSON.stringify(message)) : `a batch of ${batch} ${method}`;
  return `The server sends ${what}${params ? ` with ${JSON.stringify(params)}` : ''} during ${during ?? 'a request of the client'}${cancelled === undefined ? '' : `, and cancels it ${cancelled === 'late' ? 'once it is answered' : 'at once'}`}${deviation === undefined ? '' : `: it ${deviation}`}.`;
}

function actWords({ act, of, tool, arguments: given, name, uri, level }: ClientAct): string {
  const what = [of, tool, name, uri, level].filter((one) => one !== undefined).join(' ');
  const verb = { list: 'lists', call: 'calls', read: 'reads', get: 'gets', connect: 'connects', complete: 'completes' };
  if (act === 'call' && tool === undefined) return 'calls each tool that it lists';
  const word = act in verb ? verb[act as keyof typeof verb] : act;
  return `${word}${what === '' ? '' : ` ${what}`}${given ? ` with ${JSON.stringify(given)}` : ''}`;
}
