/** Writes dist/packed: what an installed package has in compressed form only (src/files/package/packed-files.ts says who reads it). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { transformSync } from 'esbuild';
import { ruleFiles } from '../files/package/load-rules.ts';
import { validatorFile } from '../files/package/message-files.ts';
import { packedFile, packedGenerated, packOfRules, packOfValidators } from '../files/package/packed-files.ts';
import { revisions } from '../core/spec/revisions.ts';

/**
 * The text as readers of packed files take it. With a window that holds all of it, since common parts of two rules may
 * be far apart. It is not the smallest possible, which saves a tenth and takes most of a build's time.
 */
export function compressed(text: string | Uint8Array): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_QUALITY } = constants;
  return brotliCompressSync(text, {
    params: {
      [BROTLI_PARAM_QUALITY]: 9,
      [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS,
      [BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
}

/** @param folder where the packs go; the same files give the same packs */
export function packFiles(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of packedGenerated) write(name, readFileSync(join(root, 'generated', name), 'utf8'));
  for (const revision of revisions) {
    const code = readFileSync(validatorFile(revision, join(root, 'generated', 'validators')), 'utf8');
    write(
      packOfValidators(revision),
      transformSync(code, { format: 'cjs', minify: true, legalComments: 'none', target: 'node20' }).code,
    );
  }
  const rules = ruleFiles(join(root, 'rules')).map(({ area, name }) => [
    `rules/${area}/${name}`,
    readFileSync(join(root, 'rules', area, name), 'utf8'),
  ]);
  write(packOfRules, JSON.stringify(Object.fromEntries(rules)));

  function write(name: string, text: string): void {
    writeFileSync(packedFile(name, folder), compressed(text));
  }
}
