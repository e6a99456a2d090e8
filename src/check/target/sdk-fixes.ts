/**
 * The SDKs that mcpc knows, from rules/language/sdk-fixes.json: how a target's SDK is recognised, and how the failure
 * of a rule is fixed in it. Reads no files of targets, and decides no verdict.
 */
import table from '../../../rules/language/sdk-fixes.json' with { type: 'json' };

interface SdkEntry {
  name: string;
  packages?: string[];
  imports?: string[];
  errorMessages?: string[];
}

const sdks = new Map(Object.entries(table.sdks as Record<string, SdkEntry>));
const fixes = new Map(Object.entries(table.fixes as Record<string, Record<string, string>>));

/** The SDK of a server, and its evidence. */
export interface NamedSdk {
  /** Key in rules/language/sdk-fixes.json. */
  id: string;
  name: string;
  by: 'package' | 'import' | 'error message';
  /** Version that is installed, where that could be read. */
  version?: string;
}

function named(id: string, by: NamedSdk['by'], version?: string): NamedSdk {
  return { id, name: sdks.get(id)!.name, by, version };
}

/**
 * The SDK whose package is one of the dependencies.
 * @param versionOf the version of a package that is installed
 */
export function sdkOfPackages(
  dependencies: ReadonlySet<string>,
  versionOf: (name: string) => string | undefined = () => undefined,
): NamedSdk | undefined {
  for (const [id, { packages }] of sdks) {
    const found = packages?.find((one) => dependencies.has(one));
    if (found !== undefined) return named(id, 'package', versionOf(found));
  }
  return undefined;
}

/** The SDK that a Python script imports. */
export function sdkOfScript(text: string): NamedSdk | undefined {
  for (const [id, { imports }] of sdks)
    if (imports?.some((one) => new RegExp(one, 'm').test(text))) return named(id, 'import');
  return undefined;
}

/** The SDK that words its errors like this. */
export function sdkOfErrorMessage(message: string): NamedSdk | undefined {
  for (const [id, { errorMessages }] of sdks)
    if (errorMessages?.some((one) => new RegExp(one).test(message.slice(0, 1000)))) return named(id, 'error message');
  return undefined;
}

/** The SDK that the footer of a trace names, if mcpc knows it. */
export function sdkOfFooter(value: unknown): NamedSdk | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('by' in value)) return undefined;
  const { id, by, version } = value as Record<string, unknown>;
  return typeof id === 'string' && sdks.has(id) && typeof by === 'string'
    ? named(id, by as NamedSdk['by'], typeof version === 'string' ? version : undefined)
    : undefined;
}

/** The fix for the failure of a rule with the SDK; undefined when unknown. */
export function sdkFixFor(rule: string, sdk: NamedSdk | undefined): string | undefined {
  return sdk === undefined ? undefined : fixes.get(rule)?.[sdk.id];
}

/** The fixes that are known for a rule, by the names of the SDKs. */
export function sdkFixesOf(rule: string): { sdk: string; fix: string }[] {
  return Object.entries(fixes.get(rule) ?? {}).map(([id, fix]) => ({ sdk: sdks.get(id)?.name ?? id, fix }));
}
