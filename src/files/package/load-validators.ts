/**
 * Loads the message validators of a revision: the module compiled by the build, or, in a checkout without a current
 * build, functions compiled on the spot. It makes no judgement.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { usageError } from '../../core/model/errors.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { packedModule, packOfValidators } from './packed-files.ts';
import { isKnownRevision, revisions } from '../../core/spec/revisions.ts';
import { layoutDigest, readLayout, validatorFile } from './message-files.ts';
import { methodInfos } from '../../core/spec/messages/message-schema.ts';
import {
  createMessageValidators,
  type CompiledValidator,
  type MessageValidators,
  type MethodInfo,
} from '../../core/spec/messages/message-validator.ts';

/** Exports of a module in `generated/validators`. */
export interface ValidatorModule {
  validators: Record<string, CompiledValidator>;
  methods: Record<string, MethodInfo>;
  /** Digest of the layout that it was compiled from. */
  source: string;
}

const loaded = new Map<Revision, Promise<MessageValidators>>();

/**
 * Validators of a revision; loaded once per process.
 * @throws McpcError (usage) for a revision that mcpc does not know
 */
export async function loadValidators(revision: string): Promise<MessageValidators> {
  if (!isKnownRevision(revision)) {
    throw usageError(
      `there are no message schemas of revision "${revision}"`,
      `Known revisions: ${revisions.join(', ')}.`,
    );
  }
  let promise = loaded.get(revision);
  if (!promise) {
    promise = load(revision);
    loaded.set(revision, promise);
    // A failure (a layout file just being written) is not kept.
    promise.catch(() => loaded.delete(revision));
  }
  return promise;
}

async function load(revision: Revision): Promise<MessageValidators> {
  const layout = await readLayout(revision);
  const built = await loadBuilt(revision, layoutDigest(layout));
  if (built) return createMessageValidators(revision, built.validators, built.methods);
  const { compileValidators } = await import('../../core/spec/messages/compile-validators.ts');
  return createMessageValidators(revision, compileValidators(layout), methodInfos(layout));
}

/** The compiled module, or undefined when there is none or it was built from another layout. */
async function loadBuilt(revision: Revision, digest: string): Promise<ValidatorModule | undefined> {
  const path = validatorFile(revision);
  const module = (
    existsSync(path) ? await import(pathToFileURL(path).href) : packedModule(packOfValidators(revision))
  ) as ValidatorModule | undefined;
  return module?.source === digest ? module : undefined;
}
