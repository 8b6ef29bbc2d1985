import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { matchesWildcard } from '../../../shared/wildcard.ts'
import type { BranchFilterStrategy } from './hook.ts'

interface BranchFilter {
  readonly pushEventsBranchFilter: string
  readonly branchFilterStrategy: BranchFilterStrategy
}

/** Whether a hook receives pushes to a branch. An empty filter admits all branches. */
export const matchesBranch = (
  { pushEventsBranchFilter: filter, branchFilterStrategy: strategy }: BranchFilter,
  branch: string,
): boolean => {
  if (filter === '' || strategy === 'all_branches') return true
  if (strategy === 'wildcard') return matchesWildcard(branch, filter)
  const result = compileNamePattern(filter)
  return 'pattern' in result && result.pattern.matchesPart(branch)
}
