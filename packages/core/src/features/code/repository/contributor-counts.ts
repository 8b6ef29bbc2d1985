import type { CompleteRow } from '../../../db/complete-row.ts'
import { insertSelected } from '../../../db/insert-selected.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import type { Handle } from '../../../kernel/store.ts'
import type { Contributor, ContributorTotals } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import type { ContributorOrder } from './contributor-order.ts'

/** Counts of a project that are kept, besides the last one that was completed. */
const maximumOtherCounts = 4
/** Counts of a project that can be in progress or wait. */
const maximumUnfinishedCounts = 4
/** Seconds after which a count no longer prevents others. Its job has failed. */
const maximumCountAge = 86_400
/** Rows that one statement inserts. */
const rowsPerStatement = 500
/** Rows that one transaction copies. */
const rowsPerCopy = 2_000

/** The history of a commit in the repository of a project. */
interface History {
  readonly projectId: number
  readonly commitId: string
}

const sortColumns = { commits: 'commits', name: 'nameKey', email: 'emailKey' } as const

const selectCounts = ({ db }: Pick<Handle, 'db'>, projectId: number) =>
  db.selectFrom('contributorCount').where('projectId', '=', projectId)

/** A page of the contributors of a long history, and how much of it was counted; undefined before the first commits were. */
export async function readCountedPage(
  ctx: Context,
  { projectId, commitId }: History,
  { orderBy, sort }: { readonly orderBy: ContributorOrder; readonly sort: 'asc' | 'desc' },
  paging: PagingInput,
): Promise<{ readonly page: Page<Contributor>; readonly commits: number; readonly isComplete: boolean } | undefined> {
  const count = await selectCounts(ctx, projectId)
    .where('commitId', '=', commitId)
    .where('commits', '>', 0)
    .select(['id', 'commits', 'isComplete'])
    .executeTakeFirst()
  if (count === undefined) return undefined
  const rows = ctx.db
    .selectFrom('contributor')
    .where('countId', '=', count.id)
    .orderBy(sortColumns[orderBy], sort)
    .$if(orderBy !== 'name', (query) => query.orderBy('nameKey'))
    .$if(orderBy !== 'email', (query) => query.orderBy('emailKey'))
    .orderBy('email')
    .select(['name', 'email', 'commits', 'additions', 'deletions'])
  return { ...count, page: await paginate(rows, paging, (row): Contributor => row) }
}

/** Whether a long history was counted, or is being counted. */
export async function isCounted(ctx: Context, { projectId, commitId }: History): Promise<boolean> {
  const count = await selectCounts(ctx, projectId).where('commitId', '=', commitId).select('id').executeTakeFirst()
  return count !== undefined
}

/** Has a job count the contributors of a history, unless it does so already or others of the project wait. */
export async function requestCount(ctx: Context, { projectId, commitId }: History): Promise<void> {
  const unfinished = await selectCounts(ctx, projectId)
    .where('isComplete', '=', false)
    .select(['id', 'createdAt'])
    .execute()
  const oldest = addSeconds(ctx.now, -maximumCountAge)
  const failed = unfinished.filter(({ createdAt }) => createdAt < oldest)
  for (const { id } of failed) await removeCount(ctx, id)
  if (unfinished.length - failed.length >= maximumUnfinishedCounts) return
  const row = { projectId, commitId, commits: 0, isComplete: false, createdAt: ctx.now }
  const [inserted] = await ctx.db
    .insertInto('contributorCount')
    .values(row satisfies CompleteRow<'contributorCount'>)
    .onConflict((existing) => existing.columns(['projectId', 'commitId']).doNothing())
    .returning('id')
    .execute()
  if (inserted) await ctx.enqueue('repository.countContributors', { count: inserted.id })
}

/** The counts that cover their whole history, newest first. */
export const findCompleteCounts = (handle: Pick<Handle, 'db'>, projectId: number) =>
  selectCounts(handle, projectId)
    .where('isComplete', '=', true)
    .orderBy('id', 'desc')
    .select(['id', 'commitId', 'commits'])
    .execute()

/** A count that is not complete; undefined if it is, or was removed. */
export const findUnfinishedCount = ({ db }: Pick<Handle, 'db'>, id: number) =>
  db
    .selectFrom('contributorCount')
    .where('id', '=', id)
    .where('isComplete', '=', false)
    .select(['id', 'projectId', 'commitId', 'commits'])
    .executeTakeFirst()

export const removeCount = async ({ db }: Pick<Handle, 'db'>, id: number): Promise<void> => {
  await db.deleteFrom('contributorCount').where('id', '=', id).execute()
}

/** Adds totals to the rows of a count. `name`: whether those of the totals replace earlier ones, because they are newer. */
const addRows = async (
  { db }: Pick<Handle, 'db'>,
  countId: number,
  contributors: readonly Contributor[],
  names: 'replace' | 'keep',
) => {
  for (let start = 0; start < contributors.length; start += rowsPerStatement) {
    const rows = contributors.slice(start, start + rowsPerStatement).map(
      ({ name, email, commits, additions, deletions }) =>
        ({
          countId,
          email,
          name,
          emailKey: email.toLowerCase(),
          nameKey: name.toLowerCase(),
          commits,
          additions,
          deletions,
        }) satisfies CompleteRow<'contributor'>,
    )
    await db
      .insertInto('contributor')
      .values(rows)
      .onConflict((existing) =>
        existing.columns(['countId', 'email']).doUpdateSet((eb) => ({
          commits: eb('contributor.commits', '+', eb.ref('excluded.commits')),
          additions: eb('contributor.additions', '+', eb.ref('excluded.additions')),
          deletions: eb('contributor.deletions', '+', eb.ref('excluded.deletions')),
          ...(names === 'replace' && { name: eb.ref('excluded.name'), nameKey: eb.ref('excluded.nameKey') }),
        })),
      )
      .execute()
  }
}

/** Changes a count while it covers `from` commits. False if another process has changed or removed it. */
const advance = async (
  { db }: Pick<Handle, 'db'>,
  id: number,
  from: number,
  values: { readonly commits: number; readonly isComplete: boolean },
): Promise<boolean> => {
  const changed = await db
    .updateTable('contributorCount')
    .set(values)
    .where('id', '=', id)
    .where('commits', '=', from)
    .where('isComplete', '=', false)
    .returning('id')
    .execute()
  return changed.length > 0
}

const removeOldCounts = async (ctx: Context, projectId: number, completed: number) => {
  const others = (await findCompleteCounts(ctx, projectId)).filter(({ id }) => id !== completed)
  for (const { id } of others.slice(maximumOtherCounts)) await removeCount(ctx, id)
}

type UnfinishedCount = NonNullable<Awaited<ReturnType<typeof findUnfinishedCount>>>

/** Adds the totals of the next, older commits to a count. False if another process has changed or removed it. */
export async function addTotals(
  ctx: Context,
  { id, projectId, commits: from }: UnfinishedCount,
  { contributors, commits, hasMore }: ContributorTotals,
): Promise<boolean> {
  if (!(await advance(ctx, id, from, { commits: from + commits, isComplete: !hasMore }))) return false
  // An interrupted run may have copied those of an earlier count.
  if (from === 0) await ctx.db.deleteFrom('contributor').where('countId', '=', id).execute()
  await addRows(ctx, id, contributors, 'keep')
  if (!hasMore) await removeOldCounts(ctx, projectId, id)
  return true
}

/** Copies rows of another count from an e-mail address on. Returns the last address; undefined when there are no more rows. */
export async function copyRows(
  { db }: Context,
  { from, to, after }: { readonly from: number; readonly to: number; readonly after: string | undefined },
): Promise<string | undefined> {
  const source = db
    .selectFrom('contributor')
    .where('countId', '=', from)
    .$if(after !== undefined, (rows) => rows.where('email', '>', defined(after)))
  const emails = await source.orderBy('email').limit(rowsPerCopy).select('email').execute()
  const last = emails.at(-1)?.email
  if (last === undefined) return undefined
  await insertSelected(db, 'contributor', source.where('email', '<=', last), ({ ref, val }) => ({
    countId: val(to),
    email: ref('email'),
    name: ref('name'),
    emailKey: ref('emailKey'),
    nameKey: ref('nameKey'),
    commits: ref('commits'),
    additions: ref('additions'),
    deletions: ref('deletions'),
  }))
    .onConflict((existing) => existing.columns(['countId', 'email']).doNothing())
    .execute()
  return last
}

/**
 * Adds the totals of the newer commits to the copied rows of an earlier count, which completes the count. False if one of both was
 * removed or changed.
 */
export async function completeCopy(
  ctx: Context,
  { id, projectId }: UnfinishedCount,
  earlier: { readonly id: number; readonly commits: number },
  newer: Pick<ContributorTotals, 'contributors' | 'commits'>,
): Promise<boolean> {
  const complete = await findCompleteCounts(ctx, projectId)
  if (!complete.some((count) => count.id === earlier.id)) return false
  if (!(await advance(ctx, id, 0, { commits: earlier.commits + newer.commits, isComplete: true }))) return false
  await addRows(ctx, id, newer.contributors, 'replace')
  await removeOldCounts(ctx, projectId, id)
  return true
}
