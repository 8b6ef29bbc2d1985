import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import type { IssueScope } from '../../../access/issue-rows.ts'
import type { Database } from '../../../contract/database.ts'
import { lower } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { type IssuableFilters, isAny, isNone, toMilestone, type WithMilestoneId } from '../issuables/filters.ts'
import {
  anyOf,
  assigneeLink,
  type Condition,
  fieldConditions,
  hasAnyLink,
  hasAuthor,
  hasEpic,
  hasIid,
  hasLink,
  hasMilestone,
  hasReaction,
  hasWeight,
  type Link,
  labelLink,
  negate,
} from './conditions.ts'
import { countTally } from './counts/counters.ts'
import type { IssueFilters, IssueMatchingFilters } from './filters.ts'

/** Filters as conditions. Links are separate because a count can start from them. */
export interface IssueCriteria {
  readonly links: readonly Link[]
  readonly conditions: readonly Condition[]
}

/** No row has this id, so an unknown name matches nothing. */
const noMatchId = 0

const findUserId = async (ctx: Context, username: string): Promise<number> => {
  const row = await ctx.db
    .selectFrom('user')
    .where(lower('username'), '=', username.toLowerCase())
    .select('id')
    .executeTakeFirst()
  return row?.id ?? noMatchId
}

const uniqueTrimmed = (texts: readonly string[]) => [...new Set(texts.map((text) => text.trim()).filter(Boolean))]

const buildLabelCriteria = (scope: IssueScope, labels: readonly string[] = []): IssueCriteria => {
  const names = uniqueTrimmed(labels)
  if (names.some(isNone)) return { links: [], conditions: [negate(hasAnyLink('labels'))] }
  if (names.some(isAny)) return { links: [], conditions: [hasAnyLink('labels')] }
  return { links: names.map((name) => labelLink(scope, name)), conditions: [] }
}

const buildAssigneeCriteria = async (
  ctx: Context,
  { assigneeId, assigneeUsername = [] }: Omit<IssueMatchingFilters, 'milestone'>,
): Promise<IssueCriteria> => {
  if (isNone(assigneeId) || Number(assigneeId || Number.NaN) === 0 || assigneeId === 0) {
    return { links: [], conditions: [negate(hasAnyLink('assignees'))] }
  }
  if (isAny(assigneeId)) return { links: [], conditions: [hasAnyLink('assignees')] }
  const ids = assigneeId === undefined || assigneeId === '' ? [] : [Number(assigneeId)]
  for (const username of uniqueTrimmed(assigneeUsername)) ids.push(await findUserId(ctx, username))
  return { links: [...new Set(ids)].map(assigneeLink), conditions: [] }
}

const buildMatchingCriteria = async (
  ctx: Context,
  scope: IssueScope,
  filters: WithMilestoneId<IssueMatchingFilters>,
): Promise<IssueCriteria> => {
  const { labels, authorId, authorUsername, myReactionEmoji, iids, weight } = filters
  const conditions: Condition[] = []
  const milestone = toMilestone(filters)
  if (authorId !== undefined) conditions.push(hasAuthor(authorId))
  if (authorUsername) conditions.push(hasAuthor(await findUserId(ctx, authorUsername)))
  if (milestone || milestone === 0) conditions.push(hasMilestone(ctx, scope, milestone))
  if (myReactionEmoji) conditions.push(hasReaction(ctx, myReactionEmoji))
  if (iids?.length) conditions.push(hasIid(iids))
  if (weight !== undefined && weight !== '') conditions.push(hasWeight(weight))
  const labelCriteria = buildLabelCriteria(scope, labels)
  const assigneeCriteria = await buildAssigneeCriteria(ctx, filters)
  return {
    links: [...assigneeCriteria.links, ...labelCriteria.links],
    conditions: [...conditions, ...assigneeCriteria.conditions, ...labelCriteria.conditions],
  }
}

const buildScopeCriteria = ({ actor }: Context, scope: IssueFilters['scope']): IssueCriteria => {
  const userId = getUserId(actor)
  if (scope === 'created_by_me' || scope === 'created-by-me') return { links: [], conditions: [hasAuthor(userId)] }
  if (scope === 'assigned_to_me' || scope === 'assigned-to-me') return { links: [assigneeLink(userId)], conditions: [] }
  return { links: [], conditions: [] }
}

const toConditions = (ctx: Context, { links, conditions }: IssueCriteria): Condition[] => [
  ...conditions,
  ...links.map((link) => hasLink(ctx, link)),
]

export async function buildCriteria(
  ctx: Context,
  scope: IssueScope,
  filters: WithMilestoneId<IssueFilters>,
): Promise<IssueCriteria> {
  const byScope = buildScopeCriteria(ctx, filters.scope)
  const matching = await buildMatchingCriteria(ctx, scope, filters)
  const excluded = filters.not ? toConditions(ctx, await buildMatchingCriteria(ctx, scope, filters.not)) : []
  return {
    links: [...byScope.links, ...matching.links],
    conditions: [
      ...byScope.conditions,
      ...matching.conditions,
      ...fieldConditions(ctx, filters),
      ...(filters.epicId === undefined || filters.epicId === ''
        ? []
        : [hasEpic(await withGrants(ctx), filters.epicId)]),
      ...(excluded.length ? [negate(anyOf(excluded))] : []),
    ],
  }
}

/** Lists with a label or an assignee of fewer issues start from these, and sort them. */
const maxSortedIssues = 1_000

const findRareLink = async (ctx: Context, links: readonly Link[]): Promise<Link | undefined> => {
  for (const link of links) if ((await countTally(ctx, link)) < maxSortedIssues) return link
  return undefined
}

/** Finds the rows of a link by its index. `hasLink` checks each row of the list in its order. */
const isLinked = (ctx: Context, { table, column, subjectIds }: Link, eb: ExpressionBuilder<Database, 'issue'>) =>
  eb(
    'issue.id',
    'in',
    // biome-ignore lint/suspicious/noExplicitAny: rows of either table of links
    (ctx.db as Kysely<any>)
      .selectFrom(`${table} as link`)
      .where(`link.${column}`, 'in', subjectIds(ctx) as never)
      .select('link.issueId')
      .$castTo<{ issueId: number }>(),
  )

const issueColumnNames = { id: 'issue.id', projectId: 'issue.projectId', confidential: 'issue.confidential' }

/** The filters as one condition on rows of `mergeRequest`, for lists. */
export async function createMergeRequestFilter(
  ctx: Context,
  scope: IssueScope,
  filters: IssuableFilters,
): Promise<(eb: ExpressionBuilder<Database, 'mergeRequest'>) => Expression<SqlBool>> {
  const conditions = toConditions(ctx, await buildCriteria(ctx, scope, filters))
  const row = { kind: 'mergeRequest', id: 'mergeRequest.id', projectId: 'mergeRequest.projectId' } as const
  return (eb) => eb.and(conditions.map((condition) => condition.toExpression(eb, row, true)))
}

/** The filters as one condition on rows of `issue`, for lists. */
export async function createIssueFilter(
  ctx: Context,
  scope: IssueScope,
  filters: WithMilestoneId<IssueFilters>,
): Promise<(eb: ExpressionBuilder<Database, 'issue'>) => Expression<SqlBool>> {
  const criteria = await buildCriteria(ctx, scope, filters)
  const rareLink = await findRareLink(ctx, criteria.links)
  const links = criteria.links.filter((link) => link !== rareLink)
  const conditions = toConditions(ctx, { ...criteria, links })
  return (eb) =>
    eb.and([
      ...(rareLink ? [isLinked(ctx, rareLink, eb)] : []),
      ...conditions.map((condition) => condition.toExpression(eb, issueColumnNames, true)),
    ])
}
