/** The faults that were written from the catalogue of revision 2026-07-28 alone, without a look at the rules. */
import type { CatalogueFault } from './fault.ts';
import { eraFaults } from './eras.ts';
import { httpFaults } from './http.ts';
import { messageFaults } from './messages.ts';
import { offerFaults } from './offers.ts';
import { roundFaults } from './rounds.ts';
import { subscriptionFaults } from './subscriptions.ts';
import { utilityFaults } from './utilities.ts';

export const catalogueFaults: readonly CatalogueFault[] = [
  ...messageFaults,
  ...eraFaults,
  ...roundFaults,
  ...subscriptionFaults,
  ...httpFaults,
  ...offerFaults,
  ...utilityFaults,
];
