/** All hostile servers: one line for each file of `cases/`. */
import { brokenCases } from './cases/broken.ts';
import { deadlineCases } from './cases/deadlines.ts';
import { fileCases } from './cases/files.ts';
import { damageCases, textCases } from './cases/damage.ts';
import { leftoverCases } from './cases/leftovers.ts';
import { networkCases } from './cases/network.ts';
import { endlessCases } from './cases/endless.ts';
import { memoryCases } from './cases/memory.ts';
import { oddCases } from './cases/odd.ts';
import { oddValueCases } from './cases/odd-values.ts';
import { plainCases } from './cases/plain.ts';
import { secretCases } from './cases/secrets.ts';
import { statelessCases } from './cases/stateless.ts';
import { wireCases } from './cases/wire.ts';
import { workCases } from './cases/work.ts';
import type { HostileCase } from './case.ts';

export const hostileCases: readonly HostileCase[] = [
  ...deadlineCases,
  ...endlessCases,
  ...leftoverCases,
  ...memoryCases,
  ...plainCases,
  ...brokenCases,
  ...secretCases,
  ...workCases,
  ...fileCases,
  ...networkCases,
  ...wireCases,
  ...oddCases,
  ...oddValueCases,
  ...statelessCases,
  ...damageCases,
  ...textCases,
];
