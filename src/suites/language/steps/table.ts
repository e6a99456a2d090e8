/** All steps of the native form. */
import { otherSteps } from './others.ts';
import { requestSteps } from './requests.ts';
import type { StepKind } from './step-kind.ts';

export const stepKinds: readonly StepKind[] = [...requestSteps, ...otherSteps];
