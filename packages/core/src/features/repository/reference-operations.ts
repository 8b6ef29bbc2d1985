import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { Sort } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import type { GitReference, Repository } from '../../ports/git.ts'
import { readViewerAccess } from '../protected-references/reference-access.ts'
import { addBranchState } from './branch-state.ts'
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

/** A page of branches or tags, each with its commit. */
const pageWithCommits = async (
  opened: OpenedRepository | undefined,
  list: (repository: Repository) => Promise<readonly GitReference[]>,
  { search, ...paging }: { page: number; perPage: number; search?: string | undefined },
): Promise<Page<{ name: string; commit: RepositoryCommit }>> => {
  const all = opened === undefined ? [] : await list(opened.repository)
  const matching = search === undefined ? all : all.filter(({ name }) => matchesSearch(name, search))
  const page = paginateArray(matching, paging)
  const items = page.items.map(async ({ name, commit }) => ({
    name,
    commit: await readCommit(opened as OpenedRepository, commit),
  }))
  return { ...page, items: await Promise.all(items) }
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

const sortByTime = async (repository: Repository, tags: readonly GitReference[]): Promise<GitReference[]> => {
  const timed = await Promise.all(
    tags.map(async (tag) => ({ tag, time: Date.parse((await repository.commit(tag.commit))?.committedAt ?? '') })),
  )
  return timed.sort((a, b) => a.time - b.time).map(({ tag }) => tag)
}

const listInput = {
  ...pagingEntries,
  /** Only names that contain this text, case-sensitive; `^text` for names that start with it, `text$` for those that end with it. */
  search: v.optional(v.string()),
}

export const referenceOperations = {
  /** Branches by name, each with its head commit; none without a repository. */
  branches: query({
    on: project,
    can: 'code.read',
    input: listInput,
    async run(ctx, input, subject) {
      const { actor } = ctx
      const opened = await openRepository(ctx, subject)
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (): Promise<Page<Branch>> => {
        const page = await pageWithCommits(opened, (repository) => repository.branches(), input)
        return {
          ...page,
          items: opened ? await addBranchState(opened.repository, actor, subject, access, page.items) : [],
        }
      })
    },
  }),

  /** One branch by name, with its head commit. */
  branch: query({
    on: project,
    can: 'code.read',
    input: {
      /** Name of the branch, case-sensitive. */
      branch: v.pipe(v.string(), v.maxLength(1_024)),
    },
    async run(ctx, { branch: name }, subject) {
      const { actor } = ctx
      const opened = await openRepository(ctx, subject)
      const access = await readViewerAccess(ctx, subject.project)
      return afterTransaction(async (): Promise<Branch> => {
        const id = await opened?.repository.branch(name)
        if (opened === undefined || id === undefined) throw notFound('Branch')
        const branch = { name, commit: await readCommit(opened, id) }
        return (await addBranchState(opened.repository, actor, subject, access, [branch]))[0] as Branch
      })
    },
  }),

  /** Tags by name, each with its commit; none without a repository. */
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
