/** What a project file says of the rules, where the flags of a fleet's check say nothing. */
import type { ProjectSections } from '../../../check/settings/project-rows.ts';

/** The flags of a fleet's check that choose rules. */
export interface RuleFlags {
  'only-rules'?: string[];
  'skip-rules'?: string[];
  level?: 'must' | 'should' | 'may';
  set?: string;
  rules?: string[];
  requirements?: string[];
  facts?: string[];
  'rules-code'?: boolean;
}

export function withProjectRules(flags: RuleFlags, check: ProjectSections['check']): RuleFlags {
  return {
    'only-rules': flags['only-rules'] ?? check.only,
    'skip-rules': flags['skip-rules'] ?? check.skip,
    level: flags.level ?? check.level,
    set: flags.set ?? check.set,
    rules: flags.rules ?? check.rules,
    requirements: flags.requirements ?? check.requirements,
    facts: flags.facts ?? check.facts,
    'rules-code': flags['rules-code'],
  };
}
