/**
 * Meaning of a plain scalar of YAML here: YAML 1.2, with the forms of YAML 1.1, since files of other tools are read
 * unchanged. Words such as `yes` and dates stay text.
 */

/** Whole numbers that no double can hold keep their digits. */
export type Scalar = string | number | bigint | boolean | null;

export interface ReadScalar {
  value: Scalar;
  /** Scalars that a reader of YAML 1.2 would understand differently. */
  warning?: string;
}

const nothing = new Set(['', '~', 'null', 'Null', 'NULL']);
const truth = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** The value of a scalar without quotes. */
export function readPlainScalar(source: string): ReadScalar {
  if (nothing.has(source)) return { value: null };
  const word = truth.get(source);
  if (word !== undefined) return { value: word };
  if (!/^[-+.]?[0-9]/.test(source)) return { value: source };
  if (/^[-+]?(?:0|[1-9][0-9]*)$/.test(source)) return { value: whole(source) };
  const prefixed = /^([-+]?)0([xob])([0-9a-fA-F_]+)$/.exec(source);
  if (prefixed) {
    const digits = `0${prefixed[2]}${prefixed[3]!.replaceAll('_', '')}`;
    return isWhole(digits) ? { value: signed(prefixed[1]!, BigInt(digits)) } : { value: source };
  }
  const bare = source.replaceAll('_', '');
  const octal = /^([-+]?)0([0-7]+)$/.exec(bare);
  if (octal) {
    const value = signed(octal[1]!, BigInt(`0o${octal[2]}`));
    return { value, warning: `${source} is read as the octal number ${value}; YAML 1.2 reads a decimal one` };
  }
  if (/^[-+]?[0-9][0-9_]*$/.test(source)) {
    const value = whole(bare);
    return {
      value,
      warning: `${source} is read as the number ${value}; YAML 1.2 reads ${bare === source ? 'it otherwise' : 'a text'}`,
    };
  }
  if (!float.test(source)) return { value: source };
  const value = Number(source);
  return Number.isFinite(value)
    ? { value }
    : { value: source, warning: `${source} is beyond what a number can be, and is read as a text` };
}

function isWhole(digits: string): boolean {
  return /^0(?:x[0-9a-fA-F]+|o[0-7]+|b[01]+)$/.test(digits);
}

function whole(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? (Object.is(number, -0) ? 0 : number) : BigInt(digits.replace(/^\+/, ''));
}

function signed(sign: string, value: bigint): number | bigint {
  const all = sign === '-' ? -value : value;
  return Number.isSafeInteger(Number(all)) ? Number(all) : all;
}
