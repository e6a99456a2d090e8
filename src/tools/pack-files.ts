/** Writes dist/packed: what an installed package has in compressed form only (src/spec/packed-files.ts says who reads it). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { transformSync } from 'esbuild';
import { ruleFiles } from '../rules/load-rules.ts';
import { validatorFile } from '../spec/messages/message-files.ts';
import { packedFile, packedGenerated, packOfRules, packOfValidators } from '../spec/packed-files.ts';
import { revisions } from '../spec/revisions.ts';

/** @param folder where the packs go; the same files give the same packs */
export function packFiles(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of packedGenerated) write(name, readFileSync(join(root, 'generated', name), 'utf8'));
  for (const revision of revisions) {
    const code = readFileSync(validatorFile(revision, join(root, 'generated', 'validators')), 'utf8');
    write(packOfValidators(revision), transformSync(code, { format: 'cjs', minify: true, legalComments: 'none', target: 'node20' }).code);
  }
  const rules = ruleFiles(join(root, 'rules')).map(({ area, name }) => [`rules/${area}/${name}`, readFileSync(join(root, 'rules', area, name), 'utf8')]);
  write(packOfRules, JSON.stringify(Object.fromEntries(rules)));

  function write(name: string, text: string): void {
    // With a window that holds all of it: what two rules have in common may stand far apart.
    const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text) } });
    writeFileSync(packedFile(name, folder), packed);
  }
}
