/** All blocks of mcp-assert's form; of several in one file the first of this list counts. */
import type { Block } from './block.ts';
import { completionBlock } from './completion.ts';
import { loggingBlock, notificationsBlock } from './notices.ts';
import { promptsBlock } from './prompts.ts';
import { resourcesBlock } from './resources.ts';
import { samplingBlock } from './sampling.ts';
import { toolBlock } from './tool.ts';
import { trajectoryBlock } from './trajectory.ts';

export const blocks: readonly Block[] = [
  trajectoryBlock,
  resourcesBlock,
  promptsBlock,
  completionBlock,
  samplingBlock,
  loggingBlock,
  notificationsBlock,
  toolBlock,
];
