/** Gate 5: every mutation of the reference server whose turn it is on stdio is failed by the rule that it names, and by no unrelated one. */
import { testMutations } from '../support/mutation-suite.ts';

await testMutations('stdio');
