/** Secrets of a recording: its stand-ins become variables of the environment, which a step reads. Pure. */
import { isObject } from '../../../core/model/json.ts';
import { isStandIn } from '../../../core/trace/redaction/mask.ts';
import { isSecretMember } from '../../../core/trace/redaction/secret-names.ts';

/** True if a text is, or contains, the placeholder of a secret. */
export function holdsStandIn(text: string): boolean {
  return /\[redacted-\d+\]/.test(text) || isStandIn(text) || (text.match(/[\w+/=.-]{8,}/g) ?? []).some(isStandIn);
}

export interface SecretArguments {
  /** The value with placeholders in place of secrets. */
  replaced(value: unknown): unknown;
  /** Names of placeholders with the variables of the environment that hold their values. */
  readonly variables: ReadonlyMap<string, string>;
}

export function createSecretArguments(): SecretArguments {
  const byText = new Map<string, string>();
  const variables = new Map<string, string>();

  function placeholder(text: string, member: string): string {
    let name = byText.get(text);
    if (name === undefined) {
      const base = (member.replace(/([a-z0-9])([A-Z])/g, '$1_$2').match(/[A-Za-z0-9]+/g) ?? ['secret'])
        .join('_')
        .toLowerCase();
      name = `env_${base}`;
      for (let count = 2; variables.has(name); count += 1) name = `env_${base}${count}`;
      byText.set(text, name);
      variables.set(name, name.slice('env_'.length).toUpperCase());
    }
    return `{{${name}}}`;
  }

  function replaced(value: unknown, member: string): unknown {
    if (typeof value === 'string')
      return value !== '' && ((isSecretMember(member) && !value.includes('{{')) || holdsStandIn(value))
        ? placeholder(value, member)
        : value;
    if (Array.isArray(value)) return value.map((one) => replaced(one, member));
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, name)]))
      : value;
  }

  return { replaced: (value) => replaced(value, 'secret'), variables };
}

/** Reads a variable of the environment: what a secret is filled in from. */
export function readingStep(placeholder: string, variable: string): Record<string, unknown> {
  return {
    run: ['node', '-e', `process.stdout.write(process.env.${variable} ?? '')`],
    capture: { [placeholder]: '$' },
    expect: { not_empty: true },
  };
}
