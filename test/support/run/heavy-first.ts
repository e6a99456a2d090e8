/** Starts the files that take longest first, so that no worker is left with one of them while the other has nothing to do. */
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const heavy = /\/test\/(rules\/(puppet|mutations-|variants|reference|guarded|examples|evidence)|e2e\/|reference\/|fleet\/)/;

export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isHeavy = ({ moduleId }: TestSpecification): boolean => heavy.test(moduleId);
    return [...sorted.filter(isHeavy), ...sorted.filter((one) => !isHeavy(one))];
  }
}
