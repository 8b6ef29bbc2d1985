import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { type Page, type PagingInput, paginateArray } from '../../../kernel/paging.ts'
import type { Contributor } from '../../../ports/git.ts'
import { readCountedPage, requestCount } from './contributor-counts.ts'
import { type ContributorOrder, sortContributors } from './contributor-order.ts'
import type { OpenedRepository } from './opened-repository.ts'
import type { ContributorCoverage } from './repository.ts'

interface ContributorList extends PagingInput {
  readonly orderBy: ContributorOrder
  readonly sort: 'asc' | 'desc'
}

/** While another process holds the write lock, the next call requests or stores the count. */
export const ignoreUnavailable = (error: unknown) => {
  if (!isPlatformError(error) || error.code !== 'unavailable') throw error
}

/**
 * A page of the contributors of a history. A short history is counted now. A long one is counted by a job; until it has counted the
 * first commits, the page covers the newest ones.
 */
export async function readContributors(
  { read, write }: TransactionRunner,
  { repository, abortable }: Pick<OpenedRepository, 'repository' | 'abortable'>,
  history: { readonly projectId: number; readonly commitId: string },
  { orderBy, sort, ...paging }: ContributorList,
): Promise<Page<Contributor> & ContributorCoverage> {
  const counted = await read((ctx) => readCountedPage(ctx, history, { orderBy, sort }, paging))
  if (counted) return { ...counted.page, ...(!counted.isComplete && { countedCommits: counted.commits }) }
  const { contributors, commits, hasMore } = await repository.contributors(history.commitId, abortable)
  const page = paginateArray(sortContributors(contributors, orderBy, sort), paging)
  if (!hasMore) return page
  await write((ctx) => requestCount(ctx, history)).catch(ignoreUnavailable)
  return { ...page, countedCommits: commits }
}
