import { compileNamePattern } from '../../../kernel/name-pattern.ts'
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
  if (strategy === 'wildcard') return matchesWildcard(filter, branch)
  const result = compileNamePattern(filter)
  return 'pattern' in result && result.pattern.matchesPart(branch)
}

/** Whether a branch is among those of a filter: exactly its name, or a pattern in which `*` matches any text. */
const matchesWildcard = (filter: string, branch: string): boolean => {
  const [first = '', ...rest] = filter.split('*')
  const last = rest.pop()
  if (last === undefined) return branch === filter
  if (!branch.startsWith(first)) return false
  // Each part is found as early as possible, which leaves the most text for the later ones.
  let position = first.length
  for (const part of rest) {
    const found = branch.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return branch.length - last.length >= position && branch.endsWith(last)
}
