import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import type { GitReference, Repository } from '../../ports/git.ts'
import { type OpenedRepository, openRepository, readCommit } from './opened-repository.ts'
import type { Branch, RepositoryCommit, Tag } from './repository.ts'

/** A page of branches or tags, each with its commit. */
const pageWithCommits = async (
  opened: OpenedRepository | undefined,
  list: (repository: Repository) => Promise<readonly GitReference[]>,
  { search, ...paging }: { page: number; perPage: number; search?: string | undefined },
): Promise<Page<{ name: string; commit: RepositoryCommit }>> => {
  const all = opened === undefined ? [] : await list(opened.repository)
  const matching = search === undefined ? all : all.filter(({ name }) => name.includes(search))
  const page = paginateArray(matching, paging)
  const items = page.items.map(async ({ name, commit }) => ({
    name,
    commit: await readCommit(opened as OpenedRepository, commit),
  }))
  return { ...page, items: await Promise.all(items) }
}

const listInput = {
  ...pagingEntries,
  /** Only names that contain this text, case-sensitive. */
  search: v.optional(v.string()),
}

export const referenceOperations = {
  /** Branches by name, each with its head commit; none without a repository. */
  branches: query({
    on: project,
    can: 'code.read',
    input: listInput,
    async run(ctx, input, subject) {
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<Page<Branch>> => {
        const page = await pageWithCommits(opened, (repository) => repository.branches(), input)
        return { ...page, items: page.items.map((branch) => ({ ...branch, default: branch.name === defaultBranch })) }
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
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<Branch> => {
        const id = await opened?.repository.branch(name)
        if (opened === undefined || id === undefined) throw notFound('Branch')
        return { name, default: name === defaultBranch, commit: await readCommit(opened, id) }
      })
    },
  }),

  /** Tags by name, each with its commit; none without a repository. */
  tags: query({
    on: project,
    can: 'code.read',
    input: listInput,
    async run(ctx, input, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(
        async (): Promise<Page<Tag>> => pageWithCommits(opened, (repository) => repository.tags(), input),
      )
    },
  }),
}
