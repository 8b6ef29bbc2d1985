import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../database.ts'
import { lower, matches } from '../../db/functions.ts'
import { isAdministrator, personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { countUpTo, type Page, type PagingInput, pageFrom, paginate } from '../../kernel/paging.ts'
import { searchPatterns } from '../../kernel/search-text.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { Member } from './member.ts'
import { anyOf, directRows, memberIds } from './membership-rows.ts'
import { type Container, membersAmong, toMember, withUsers } from './queries.ts'

interface Filter {
  readonly query?: string | undefined
  readonly userIds?: readonly number[] | undefined
}

type InUsers = ExpressionBuilder<Database, 'user'>

/**
 * How a search text looks for users: names and usernames that hold its words, exact ones first, then by name. A whole
 * e-mail address finds its user only for those who may read it: the user and administrators. Undefined for a text that
 * asks for nothing.
 */
const search = (ctx: Context, query: string) => {
  const patterns = searchPatterns(query, 'query')
  if (!patterns.length) return undefined
  const text = query.trim().toLowerCase()
  const self = personId(ctx.actor)
  return {
    found(eb: InUsers) {
      const words = patterns.map((pattern) => eb.or([matches('user.name', pattern), matches('user.username', pattern)]))
      const address = eb(lower('user.email'), '=', text)
      return eb.or([eb.and(words), isAdministrator(ctx.actor) ? address : eb.and([address, eb('user.id', '=', self)])])
    },
    rank: (eb: InUsers) =>
      eb
        .case()
        .when(eb.or([eb(lower('user.name'), '=', text), eb(lower('user.username'), '=', text)]))
        .then(0)
        .else(1)
        .end(),
  }
}

/** A page of the direct members, in the order in which they joined; with a search text as `search` says. */
export async function directMemberPage(
  ctx: Context,
  subject: Container,
  { query = '', userIds }: Filter,
  at: PagingInput,
): Promise<Page<Member>> {
  const member = toMember(await settingsInForce(ctx))
  const all = directRows(ctx, subject)
  const rows = userIds === undefined ? all : all.where((eb) => anyOf(eb, userIds))
  const searched = search(ctx, query)
  if (searched) {
    const found = withUsers(ctx, rows)
      .where((eb) => searched.found(eb as unknown as InUsers))
      .orderBy((eb) => searched.rank(eb as unknown as InUsers))
      .orderBy('user.name')
      .orderBy('user.id')
    return paginate(found, at, member)
  }
  // Only the members of the page are looked up: those before it are passed over in the index.
  const found = await pageFrom(at, {
    find: ({ limit, offset }) =>
      withUsers(ctx, rows.orderBy('member.id').limit(limit).offset(offset)).orderBy('held.id').execute(),
    count: (most) => countUpTo(rows, most),
  })
  return { ...found, items: found.items.map(member) }
}

/**
 * A page of everybody who is a member, by user id; with a search text as `search` says. It first finds the users of the
 * page and only then by which of their memberships each is one.
 */
export async function memberPage(
  ctx: Context,
  subject: Container,
  { query = '', userIds }: Filter,
  at: PagingInput,
): Promise<Page<Member>> {
  const ids = await memberIds(ctx, subject, userIds)
  const searched = search(ctx, query)
  const found = searched
    ? await paginate(
        ctx.db
          .selectFrom(ids.as('held'))
          .innerJoin('user', 'user.id', 'held.userId')
          .where((eb) => searched.found(eb as unknown as InUsers))
          .orderBy((eb) => searched.rank(eb as unknown as InUsers))
          .orderBy('user.name')
          .orderBy('user.id')
          .select('held.userId'),
        at,
        (row) => row,
      )
    : await pageFrom(at, {
        find: ({ limit, offset }) => ids.orderBy('userId').limit(limit).offset(offset).execute(),
        count: async (most) => countUpTo(ctx.db.selectFrom(ids.as('held')), most),
      })
  const chosen = found.items.map(({ userId }) => userId)
  const rows = chosen.length ? await membersAmong(ctx, subject, chosen).execute() : []
  const member = toMember(await settingsInForce(ctx))
  const members = new Map(rows.map((row) => [row.id, member(row)]))
  return { ...found, items: chosen.flatMap((id) => members.get(id) ?? []) }
}
