import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { mutuallyExclusive } from '../../../kernel/inputs.ts'
import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage, type Page } from '../../../kernel/paging.ts'
import type { GitReference, Repository } from '../../../ports/git.ts'
import { readViewerAccess } from '../protected-references/reference-access.ts'
import { addBranchState, readBranchByName } from '../repository/branch-state.ts'
import { openRepository } from '../repository/opened-repository.ts'
import { pageReferences, referenceFilters, sortByTime } from '../repository/reference-page.ts'
import type { Branch } from '../repository/repository.ts'

const listBranches = async (
  repository: Repository,
  sort: 'name_asc' | 'updated_asc' | 'updated_desc',
): Promise<readonly GitReference[]> => {
  const branches = await repository.branches()
  if (sort === 'name_asc') return branches
  const sorted = await sortByTime(repository, branches)
  return sort === 'updated_asc' ? sorted : sorted.reverse()
}

/** A pattern matches any part of a name. */
const createMatcher = (regex: string | undefined) => {
  if (regex === undefined) return undefined
  const result = compileNamePattern(regex)
  if ('problem' in result) throw invalidInput([{ fields: ['regex'], message: result.problem }])
  return result.pattern.matchesPart
}

export const branchReads = {
  /** Lists branches by name, each with its head commit; none without a repository. */
  list: query({
    on: project,
    can: 'code.read',
    input: {
      ...referenceFilters,
      /** Only names of which a part matches this regular expression in RE2 syntax. Cannot be used with `search`. */
      regex: v.optional(v.string()),
      /** `name_asc` (default): by name; `updated_asc` and `updated_desc`: by the time of the head commit. */
      sort: v.optional(v.picklist(['name_asc', 'updated_asc', 'updated_desc']), 'name_asc'),
    },
    rules: [cursorInsteadOfPage, mutuallyExclusive('search', 'regex')],
    async run(ctx, { regex, sort, ...input }, subject) {
      const { actor } = ctx
      const matches = createMatcher(regex)
      const opened = await openRepository(ctx, subject)
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (): Promise<Page<Branch>> => {
        const page = await pageReferences(opened, (repository) => listBranches(repository, sort), {
          ...input,
          ...(matches && { matches }),
        })
        return {
          ...page,
          items: opened ? await addBranchState(opened.repository, actor, subject, access, page.items) : [],
        }
      })
    },
  }),

  /** Gets a branch by name, with its head commit. */
  get: query({
    on: project,
    can: 'code.read',
    input: {
      /** Name of the branch, case-sensitive. */
      branch: v.pipe(v.string(), v.maxLength(1_024)),
    },
    run: async (ctx, { branch }, subject) => afterTransaction(await readBranchByName(ctx, subject, branch)),
  }),
}
