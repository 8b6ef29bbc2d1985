import type { IssuePlace } from '../../access/issue-rows.ts'
import { lower } from '../../db/functions.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import {
  anyOf,
  assigneeLink,
  type Condition,
  hasAny,
  type Link,
  labelLink,
  linked,
  negated,
  numbered,
  plainConditions,
  planned,
  reacted,
  writtenBy,
} from './conditions.ts'
import { type IssueFilters, isAny, isNone, type MatchingFilters } from './filters.ts'

/** Filters as they are counted: links to have, and everything else. */
export interface Demands {
  readonly links: readonly Link[]
  readonly conditions: readonly Condition[]
}

/** No row has this id: what is asked for does not exist, and matches nothing. */
const nobodysId = 0

const userNamed = async (ctx: Context, username: string): Promise<number> => {
  const row = await ctx.db
    .selectFrom('user')
    .where(lower('username'), '=', username.toLowerCase())
    .select('id')
    .executeTakeFirst()
  return row?.id ?? nobodysId
}

const distinct = (texts: readonly string[]) => [...new Set(texts.map((text) => text.trim()).filter(Boolean))]

const labelDemands = (place: IssuePlace, given: readonly string[] = []): Demands => {
  const names = distinct(given)
  if (names.some(isNone)) return { links: [], conditions: [negated(hasAny('issueLabel'))] }
  if (names.some(isAny)) return { links: [], conditions: [hasAny('issueLabel')] }
  return { links: names.map((name) => labelLink(place, name)), conditions: [] }
}

const assigneeDemands = async (
  ctx: Context,
  { assigneeId, assigneeUsername = [] }: MatchingFilters,
): Promise<Demands> => {
  if (isNone(assigneeId) || Number(assigneeId || Number.NaN) === 0 || assigneeId === 0) {
    return { links: [], conditions: [negated(hasAny('issueAssignee'))] }
  }
  if (isAny(assigneeId)) return { links: [], conditions: [hasAny('issueAssignee')] }
  const ids = assigneeId === undefined || assigneeId === '' ? [] : [Number(assigneeId)]
  for (const username of distinct(assigneeUsername)) ids.push(await userNamed(ctx, username))
  return { links: [...new Set(ids)].map(assigneeLink), conditions: [] }
}

const matchingDemands = async (ctx: Context, place: IssuePlace, filters: MatchingFilters): Promise<Demands> => {
  const { labels, milestone, authorId, authorUsername, myReactionEmoji, iids } = filters
  const conditions: Condition[] = []
  if (authorId !== undefined) conditions.push(writtenBy(authorId))
  if (authorUsername) conditions.push(writtenBy(await userNamed(ctx, authorUsername)))
  if (milestone) conditions.push(planned(ctx, place, milestone))
  if (myReactionEmoji) conditions.push(reacted(ctx, myReactionEmoji))
  if (iids?.length) conditions.push(numbered(iids))
  const labelled = labelDemands(place, labels)
  const assigned = await assigneeDemands(ctx, filters)
  return {
    links: [...assigned.links, ...labelled.links],
    conditions: [...conditions, ...assigned.conditions, ...labelled.conditions],
  }
}

const scopeDemands = ({ actor }: Context, scope: IssueFilters['scope']): Demands => {
  const me = personId(actor)
  if (scope === 'created_by_me' || scope === 'created-by-me') return { links: [], conditions: [writtenBy(me)] }
  if (scope === 'assigned_to_me' || scope === 'assigned-to-me') return { links: [assigneeLink(me)], conditions: [] }
  return { links: [], conditions: [] }
}

/** What the filters ask of an issue. Names that nothing has are demands that nothing meets. */
export async function demandsOf(ctx: Context, place: IssuePlace, filters: IssueFilters): Promise<Demands> {
  const scoped = scopeDemands(ctx, filters.scope)
  const matched = await matchingDemands(ctx, place, filters)
  const refused = filters.not ? await matchingDemands(ctx, place, filters.not) : { links: [], conditions: [] }
  const unwanted = [...refused.conditions, ...refused.links.map((link) => linked(ctx, link))]
  return {
    links: [...scoped.links, ...matched.links],
    conditions: [
      ...scoped.conditions,
      ...matched.conditions,
      ...plainConditions(ctx, filters),
      ...(unwanted.length ? [negated(anyOf(unwanted))] : []),
    ],
  }
}
