/**
 * The least harmful values of an argument, by its name: trial runs on, consent off, nothing paid, nothing sent to
 * anybody. Pure; it knows names of arguments and no schema.
 */
import { readName, wordsOf } from './tool-name.ts';

/** Joined words of switches that keep a call from doing anything. */
const trials =
  /^(?:dry ?run|noop|no op|simulat(?:e|ed|ion)|preview(?: only)?|test ?mode|sandbox|(?:validate|check|plan|read|test) ?only|what ?if|safe ?mode|draft|is draft)$/;
/** Of switches that give consent, or make an act reach further or harder to undo. */
const consents =
  /^(?:(?:auto |user |i )?(?:confirm(?:ed|ation)?|approved?|accept(?:ed)?|agree(?:d)?)|force[ds]?|yes|overwrite|recursive(?:ly)?|permanent(?:ly)?|irreversible|cascade|destructive|hard|override|privileged|elevated|admin|production|live(?: mode)?|all(?: users)?|immediate(?:ly)?)$/;
const negation = /^(?:no|not|dont|do not|skip|without|disable|never|bypass|ignore) /;
/** Protective switches: skipping one is consent. */
const safeguards = /confirm|approv|prompt|check|valid|safe|dry ?run|preview|simulat|backup|trash|verif|warning|hook/;

/**
 * The harmless value of a switch by its name: true for `dry_run`, false for `confirm`, `overwrite`, `deleteSource` and
 * `skip_confirmation`; undefined for a neutral name.
 */
export function carefulSwitch(name: string): boolean | undefined {
  const words = wordsOf(name.slice(0, 100)).join(' ');
  const negated = negation.exec(words)?.[0];
  if (negated !== undefined) {
    const rest = words.slice(negated.length);
    if (safeguards.test(rest)) return false;
    return consents.test(rest) || readName(rest).says === 'damages' ? true : undefined;
  }
  if (trials.test(words) || /(?:^| )dry ?run(?: |$)/.test(words)) return true;
  if (consents.test(words) || /^(?:force|overwrite|confirm|allow|auto|permanently|recursive) /.test(words))
    return false;
  return readName(words).says === 'damages' ? false : undefined;
}

/**
 * The same for arguments that are no booleans: names of trials and consents alone, since `start` or `update` may
 * name anything.
 */
export function carefulWord(name: string): boolean | undefined {
  const words = wordsOf(name.slice(0, 100)).join(' ');
  return trials.test(words)
    ? true
    : consents.test(words) && !/^(?:all|admin|hard|live|production)/.test(words)
      ? false
      : undefined;
}

/**
 * True if the argument is a switch whose value decides about harm.
 * @param type of its schema
 */
export function isSafetySwitch(name: string, type: unknown): boolean {
  return (
    (type === 'boolean' || type === undefined || Array.isArray(type) ? carefulSwitch(name) : carefulWord(name)) !==
    undefined
  );
}

/** True if a number of this name is an amount that is paid, bought or moved. */
export function isAmount(name: string): boolean {
  return wordsOf(name.slice(0, 100)).some((word) =>
    /^(?:amounts?|prices?|costs?|quantity|quantities|qty|payments?|fees?|balance|budget|bids?|cents|dollars|euros|usd|eur|gbp|units|shares|lots|volume|stake|credits|points|discount|salary|total)$/.test(
      word,
    ),
  );
}

/** The choices of an argument, the most harmless first: trials, reading, neutral ones, changes. */
export function carefulFirst(name: string, choices: readonly unknown[]): unknown[] {
  const wanted = carefulSwitch(name);
  const rank = (choice: unknown): number => {
    if (typeof choice === 'boolean' && wanted !== undefined) return choice === wanted ? 0 : 9;
    if (typeof choice !== 'string') return 3;
    if (wanted !== undefined && /^(?:yes|true|on|1|always)$/i.test(choice)) return wanted ? 0 : 9;
    if (wanted !== undefined && /^(?:no|false|off|0|never|none)$/i.test(choice)) return wanted ? 9 : 0;
    if (carefulSwitch(choice) === true) return 1;
    if (mayDoHarm(choice)) return 4;
    return readName(choice).says === 'reads' ? 2 : 3;
  };
  return choices
    .map((choice, at) => ({ choice, at, rank: rank(choice) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ choice }) => choice);
}

/** True if a choice names an act that changes something, or its widest scope. */
export function mayDoHarm(choice: unknown): boolean {
  return (
    typeof choice === 'string' &&
    (readName(choice).says === 'damages' || /^(?:prod(?:uction)?|live|admin|root|all)$/i.test(choice))
  );
}
