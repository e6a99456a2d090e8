/**
 * Content of an elicitation: the fields of its form, their subject, and the address of URL mode. Also whether the
 * content that the client gave fits the form. Reads one request, without memory or judgement.
 */
import { fitOf, isMisfit } from '../../json-schema/schema-fit.ts';
import { asObject, asText, isObject } from '../../model/json.ts';
import { isStandIn } from '../../trace/redaction/stand-ins.ts';
import { isLoopbackHost } from '../values/loopback.ts';

type Json = Record<string, unknown>;

const primitives = new Set(['string', 'number', 'integer', 'boolean']);

/** Names of text fields that can only be meant for a secret. */
const secretName =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)|(?:api|access|private|secret|encryption|signing)[ _-]?key|(?:access|refresh|bearer|auth|api|session|id)[ _-]?token|client[ _-]?secret|credit[ _-]?card(?:[ _-]?(?:number|no))?|card[ _-]?number|cvv2?|cvc|social[ _-]?security[ _-]?number|ssn)$/;

/** Words by which a text may be about a secret; it may as well promise not to ask for one. */
const secretWord =
  /\b(?:passwords?|passphrase|api[ _-]?keys?|(?:access|secret|auth) (?:key|token)s?|credit card|card number|cvv|client secret)\b/i;

const link = /\bhttps?:\/\/[^\s"'<>)\]]+/gi;

/** Hosts that documentation uses where no real one is meant (RFC 2606, RFC 6761). */
const exampleHost = /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost)$/i;

const nativeCredential =
  /^(?:access_?token|refresh_?token|id_?token|auth_?token|bearer|api_?key|client_?secret|password|passwd|pwd|x-amz-signature|x-amz-security-token|x-goog-signature)$/i;

/** Names of parameters that hold what identifies a person. */
const personalName =
  /^(?:e-?mail(?:_?address)?|phone(?:_?number)?|ssn|social_?security(?:_?number)?|birth_?(?:date|day)|date_?of_?birth|dob|passport(?:_?number)?|(?:first|last|full)_?name)$/i;
const emailAddress = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** The `subject.*` facts of what an elicitation asks for; see question-facts.ts. */
export function elicitationFacts(params: Json | undefined): Record<string, unknown> {
  const mode = params?.mode === undefined ? 'form' : params.mode;
  return { mode, ...(mode === 'url' ? urlFacts(params) : formFacts(params)) };
}

function formFacts(params: Json | undefined): Record<string, unknown> {
  const schema = asObject(params?.requestedSchema);
  const fields = Object.entries(asObject(schema?.properties) ?? {});
  const texts = [
    params?.message,
    schema?.title,
    schema?.description,
    ...fields.flatMap(([, field]) => [asObject(field)?.title, asObject(field)?.description]),
  ];
  const reported = texts.filter((text): text is string => typeof text === 'string');
  return {
    fields: fields.map(([name, field]) => fieldFacts(name, field)),
    wording: {
      secrets: reported.flatMap((text) => secretWord.exec(text)?.[0] ?? []).slice(0, 10),
      links: reported
        .flatMap((text) => text.match(link) ?? [])
        .filter(isRealLink)
        .slice(0, 10),
    },
  };
}

function fieldFacts(name: string, field: unknown): Json {
  const kind = kindOf(field);
  const { type, format } = asObject(field) ?? {};
  return {
    name,
    ...(kind.startsWith('!') ? { unfit: `${name} ${kind.slice(1)}` } : {}),
    ...(kind === 'choices' ? { choices: true } : {}),
    ...(type === 'string' && format !== undefined ? { format } : {}),
    ...(isSecretField(name, field) ? { secret: true } : {}),
  };
}

/** A field that asks for free text (not a choice or a number) by a name that no other thing has. */
function isSecretField(name: string, field: unknown): boolean {
  const { type, enum: choices, oneOf, title } = asObject(field) ?? {};
  if (type !== 'string' || choices !== undefined || oneOf !== undefined) return false;
  return [name, title].some((one) => typeof one === 'string' && secretName.test(spaced(one)));
}

/** `apiKey` as `api key`. */
function spaced(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
}

/** The kind of a field: a primitive type, choices (a list of them), other; `!` before what no form can show. */
function kindOf(field: unknown): string {
  if (!isObject(field)) return '!is no schema';
  const { type, items, $ref } = field;
  if ($ref !== undefined) return '!refers to another schema';
  if (type === 'object' || (type === undefined && isObject(field.properties))) return '!is an object';
  if (typeof type === 'string' && primitives.has(type)) return type;
  if (type !== 'array') return 'other';
  if (!isObject(items)) return '!is a list without a choice';
  if (items.$ref !== undefined) return '!refers to another schema';
  if (items.type === 'object' || items.type === 'array' || isObject(items.properties))
    return `!is a list of ${asText(items.type ?? 'object')}s`;
  return 'choices';
}

function isRealLink(text: string): boolean {
  const host = URL.canParse(text) ? new URL(text).hostname : '';
  return host !== '' && !exampleHost.test(host) && host.includes('.');
}

function urlFacts(params: Json | undefined): Record<string, unknown> {
  const text = params?.url;
  if (typeof text !== 'string') return {};
  if (!URL.canParse(text)) return { url: { parses: false } };
  const url = new URL(text);
  const parameters = [...url.searchParams.entries(), ...new URLSearchParams(url.hash.slice(1)).entries()];
  const named = parameters.map(([name]) => name).filter((name) => nativeCredential.test(name));
  const personal = parameters
    .filter(([name, value]) => value !== '' && (personalName.test(name) || emailAddress.test(value)))
    .map(([name]) => name);
  return {
    url: {
      parses: true,
      scheme: url.protocol.slice(0, -1),
      place: /^https?:$/.test(url.protocol) ? placeOf(url.hostname) : 'none',
      credentials: [...(url.password === '' ? [] : ['a password before the host']), ...new Set(named)],
      personal: [...new Set(personal)],
    },
  };
}

/** Where a host is: this machine, a network of one's own, or anywhere. */
function placeOf(host: string): 'loopback' | 'private' | 'public' {
  if (isLoopbackHost(host) || host === '0.0.0.0') return 'loopback';
  const isPrivate =
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)|^\[f[cde]|\.(?:local|internal|lan|home|test|invalid|corp|intranet)$/i.test(
      host,
    );
  return isPrivate || !host.includes('.') ? 'private' : 'public';
}

/** Part of a client's content that does not match the form: the field, the value, and why. */
export function contentFaults(
  params: Json | undefined,
  content: unknown,
): { field: string; value: unknown; why: string }[] {
  const schema = asObject(params?.requestedSchema);
  const fields = asObject(schema?.properties);
  if (!fields) return [];
  const given = asObject(content) ?? {};
  const required = Array.isArray(schema?.required) ? schema.required.map(asText) : [];
  const missing = required.filter((field) => Object.hasOwn(fields, field) && given[field] === undefined);
  return [
    ...missing.map((field) => ({ field, value: undefined, why: 'is missing' })),
    ...Object.entries(given).flatMap(([field, value]) => {
      const fit =
        Object.hasOwn(fields, field) && !isHidden(fields[field], value)
          ? fitOf(fields[field], value, schema)
          : 'unsure';
      return isMisfit(fit) ? [{ field, value, why: fit.what }] : [];
    }),
  ];
}

/** Of an answer that redaction took out nothing is known but that it was a text, or a list with one. */
function isHidden(field: unknown, value: unknown): boolean {
  const type = asObject(field)?.type;
  if (Array.isArray(value))
    return (type === undefined || type === 'array') && value.some((one) => typeof one === 'string' && isStandIn(one));
  return typeof value === 'string' && isStandIn(value) && (type === undefined || type === 'string');
}
