import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { mutuallyExclusive, Sort } from '../../kernel/inputs.ts'
import { compileNamePattern } from '../../kernel/name-pattern.ts'
import { query } from '../../kernel/operation.ts'
import { type Page, type PagingInput, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import type { GitReference, Repository } from '../../ports/git.ts'
import { readViewerAccess } from '../protected-references/reference-access.ts'
import { addBranchState, readBranchByName } from './branch-state.ts'
import { type OpenedRepository, openRepository, readCommit } from './opened-repository.ts'
import type { Branch, RepositoryCommit, Tag } from './repository.ts'
import { addTagState } from './tag-state.ts'

/** `^v1` matches the start of a name, `-rc$` its end, other text any part. */
const matchesSearch = (name: string, search: string): boolean => {
  const text = search.replace(/^\^/, '').replace(/\$$/, '')
  if (search.startsWith('^') && search.endsWith('$')) return name === text
  if (search.startsWith('^')) return name.startsWith(text)
  return search.endsWith('$') ? name.endsWith(text) : name.includes(text)
}

interface ReferenceFilter extends PagingInput {
  readonly search?: string | undefined
  readonly matches?: (name: string) => boolean
}

/** A page of branches or tags, each with its commit. */
const pageWithCommits = async (
  opened: OpenedRepository | undefined,
  list: (repository: Repository) => Promise<readonly GitReference[]>,
  { page, perPage, search, matches = () => true }: ReferenceFilter,
): Promise<Page<{ name: string; commit: RepositoryCommit }>> => {
  const all = opened === undefined ? [] : await list(opened.repository)
  const matching = all.filter(({ name }) => (search === undefined || matchesSearch(name, search)) && matches(name))
  const found = paginateArray(matching, { page, perPage })
  const items = found.items.map(async ({ name, commit }) => ({
    name,
    commit: await readCommit(opened as OpenedRepository, commit),
  }))
  return { ...found, items: await Promise.all(items) }
}

const compareVersions = new Intl.Collator('en', { numeric: true }).compare

const listTags = async (
  repository: Repository,
  orderBy: 'name' | 'updated' | 'version',
  sort: 'asc' | 'desc',
): Promise<readonly GitReference[]> => {
  const tags = await repository.tags()
  const sorted = orderBy === 'updated' ? await sortByTime(repository, tags) : [...tags]
  if (orderBy === 'version') sorted.sort((a, b) => compareVersions(a.name, b.name))
  return sort === 'asc' ? sorted : sorted.reverse()
}

/** The oldest first. */
const sortByTime = async (repository: Repository, references: readonly GitReference[]): Promise<GitReference[]> => {
  const timed = await Promise.all(
    references.map(async (reference) => {
      const commit = await repository.commit(reference.commit)
      return { reference, time: Date.parse(commit?.committedAt ?? '') }
    }),
  )
  return timed.sort((a, b) => a.time - b.time).map(({ reference }) => reference)
}

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

const listInput = {
  ...pagingEntries,
  /** Only names that contain this text, case-sensitive; `^text` for names that start with it, `text$` for those that end with it. */
  search: v.optional(v.string()),
}

export const referenceOperations = {
  /** Lists branches by name, each with its head commit; none without a repository. */
  branches: query({
    on: project,
    can: 'code.read',
    input: {
      ...listInput,
      /** Only names of which a part matches this regular expression in RE2 syntax. Cannot be used with `search`. */
      regex: v.optional(v.string()),
      /** `name_asc` (default): by name; `updated_asc` and `updated_desc`: by the time of the head commit. */
      sort: v.optional(v.picklist(['name_asc', 'updated_asc', 'updated_desc']), 'name_asc'),
    },
    rules: [mutuallyExclusive('search', 'regex')],
    async run(ctx, { regex, sort, ...input }, subject) {
      const { actor } = ctx
      const matches = createMatcher(regex)
      const opened = await openRepository(ctx, subject)
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (): Promise<Page<Branch>> => {
        const page = await pageWithCommits(opened, (repository) => listBranches(repository, sort), {
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
  branch: query({
    on: project,
    can: 'code.read',
    input: {
      /** Name of the branch, case-sensitive. */
      branch: v.pipe(v.string(), v.maxLength(1_024)),
    },
    run: async (ctx, { branch }, subject) => afterTransaction(await readBranchByName(ctx, subject, branch)),
  }),

  /** Lists tags by name, each with its commit; none without a repository. */
  tags: query({
    on: project,
    can: 'code.read',
    input: {
      ...listInput,
      /** `updated`: by the time of its commit; `name`: by name; `version`: by the numbers in the name. */
      orderBy: v.optional(v.picklist(['name', 'updated', 'version']), 'name'),
      /** `asc` sorts ascending, `desc` descending. */
      sort: v.optional(Sort, 'asc'),
    },
    async run(ctx, { orderBy, sort, ...input }, subject) {
      const opened = await openRepository(ctx, subject)
      const { project } = subject
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (runner): Promise<Page<Tag>> => {
        const page = await pageWithCommits(opened, (repository) => listTags(repository, orderBy, sort), input)
        const items = opened && (await addTagState(opened.repository, runner, { project, access }, page.items))
        return { ...page, items: items ?? [] }
      })
    },
  }),
}
