/** Gate 5: every mutation of the reference server whose turn it is on sse is failed by the rule that it names, and by no unrelated one. */
import { testMutations } from '../support/mutation-suite.ts';

await testMutations('sse');
