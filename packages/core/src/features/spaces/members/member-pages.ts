import { type ExpressionBuilder, expressionBuilder } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { lower, matchesSearch } from '../../../db/functions.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { countUpTo, fetchPage, type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { parseSearchText } from '../../../kernel/search-text.ts'
import { findHiddenGroups } from './hidden-groups.ts'
import type { Member } from './member.ts'
import { type Container, directRows, selectMemberIds, type UserFilter, userIdMatches } from './membership-rows.ts'
import { selectMembers, toMembers, withUsers } from './queries.ts'

interface MemberFilter extends UserFilter {
  readonly query?: string | undefined
  readonly showSeatInfo?: boolean | undefined
}

type UserExpressionBuilder = ExpressionBuilder<Database, 'user'>

/**
 * The condition and the rank (0 for an exact name or username) of a user search. Every word must occur in the name or the
 * username. A complete e-mail address matches only for its user and for administrators. Undefined for a text without words.
 */
const createUserSearch = (ctx: Context, query: string) => {
  const nameMatches = matchesSearch(ctx.dialect, ['user.name', 'user.username'], parseSearchText(query, 'query'))
  if (!nameMatches) return undefined
  const text = query.trim().toLowerCase()
  const self = getUserId(ctx.actor)
  return {
    matches(eb: UserExpressionBuilder) {
      const emailMatches = eb(lower('user.email'), '=', text)
      return eb.or([
        nameMatches,
        isAdministrator(ctx.actor) ? emailMatches : eb.and([emailMatches, eb('user.id', '=', self)]),
      ])
    },
    rank: (eb: UserExpressionBuilder) =>
      eb
        .case()
        .when(eb.or([eb(lower('user.name'), '=', text), eb(lower('user.username'), '=', text)]))
        .then(0)
        .else(1)
        .end(),
  }
}

/** A page of the direct members in the order of joining or, with a search text, by rank and name. */
export async function directMemberPage(
  ctx: Context,
  subject: Container,
  { query = '', showSeatInfo, ...filter }: MemberFilter,
  paging: PagingInput,
): Promise<Page<Member>> {
  const rows = directRows(ctx, subject).where((eb) => userIdMatches(eb, filter))
  const search = createUserSearch(ctx, query)
  if (search) {
    const matches = withUsers(ctx, rows)
      .where(search.matches(expressionBuilder()))
      .orderBy(search.rank(expressionBuilder()))
      .orderBy('user.name')
      .orderBy('user.id')
    const found = await paginate(matches, paging, (row) => row)
    return { ...found, items: await toMembers(ctx, found.items, showSeatInfo) }
  }
  // Reads the users of this page only; the memberships before it are skipped in the index.
  const page = await fetchPage(paging, {
    find: ({ limit, offset }) =>
      withUsers(ctx, rows.orderBy('member.id').limit(limit).offset(offset)).orderBy('membership.id').execute(),
    count: (limit) => countUpTo(rows, limit),
  })
  return { ...page, items: await toMembers(ctx, page.items, showSeatInfo) }
}

/**
 * A page of all members, direct and indirect, by user id or, with a search text, by rank and name. Selects the user ids of
 * the page first and the nearest membership of each user afterwards.
 */
export async function memberPage(
  ctx: Context,
  subject: Container,
  { query = '', showSeatInfo, ...filter }: MemberFilter,
  paging: PagingInput,
): Promise<Page<Member>> {
  const hidden = await findHiddenGroups(ctx, subject)
  const ids = await selectMemberIds(ctx, subject, filter, hidden)
  const search = createUserSearch(ctx, query)
  const page = search
    ? await paginate(
        ctx.db
          .selectFrom(ids.as('membership'))
          .innerJoin('user', 'user.id', 'membership.userId')
          .where(search.matches(expressionBuilder()))
          .orderBy(search.rank(expressionBuilder()))
          .orderBy('user.name')
          .orderBy('user.id')
          .select('membership.userId'),
        paging,
        (row) => row,
      )
    : await fetchPage(paging, {
        find: ({ limit, offset }) => ids.orderBy('userId').limit(limit).offset(offset).execute(),
        count: async (limit) => countUpTo(ctx.db.selectFrom(ids.as('membership')), limit),
      })
  const pageIds = page.items.map(({ userId }) => userId)
  const rows = pageIds.length ? await selectMembers(ctx, subject, pageIds, hidden).execute() : []
  const members = new Map((await toMembers(ctx, rows, showSeatInfo)).map((member) => [member.id, member]))
  return { ...page, items: pageIds.flatMap((id) => members.get(id) ?? []) }
}
