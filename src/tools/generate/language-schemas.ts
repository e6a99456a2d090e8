/** Writes the schemas of rule files that are made from tables: of stimuli from the steps, of mutations from the operators of faults, and of names from facts and operators. */
import { mutationSchema } from '../../core/faults/schema.ts';
import { stimulusSchema } from '../../client/steps/table.ts';
import { namesSchema } from './names-schema.ts';
import type { Outputs } from './outputs.ts';

/** The generator of those schemas. */
export async function generateLanguageSchemas(root: string): Promise<Outputs> {
  return {
    'rules/language/names.schema.json': `${JSON.stringify(namesSchema(root), null, 2)}\n`,
    'rules/language/stimulus.schema.json': `${JSON.stringify(stimulusSchema(), null, 2)}\n`,
    'rules/language/mutation.schema.json': `${JSON.stringify(mutationSchema(), null, 2)}\n`,
  };
}
