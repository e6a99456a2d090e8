/** Writes rules/language/stimulus.schema.json from the table of steps. */
import { stimulusSchema } from '../../probe/steps/table.ts';
import type { Outputs } from './outputs.ts';

/** The generator of the schema of stimuli. */
export async function generateSteps(): Promise<Outputs> {
  return { 'rules/language/stimulus.schema.json': `${JSON.stringify(stimulusSchema(), null, 2)}\n` };
}
