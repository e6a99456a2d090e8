/** Legal ways in which a server of both eras may bind itself to one of them (2026-07-28: basic/versioning). */
import type { Variant } from '../mutations/mutation.ts';
import { stdioOnly } from '../mutations/mutation.ts';

export const eraVariants: readonly Variant[] = [
  {
    id: 'era-of-the-process',
    solitary: true,
    transports: stdioOnly,
    revisions: ['2025-11-25', '2026-07-28'],
    description:
      'The first request on stdio chooses the era of the process; those of the other era are refused from then on.',
    change: { neglects: ['serve-both-eras'] },
  },
];
