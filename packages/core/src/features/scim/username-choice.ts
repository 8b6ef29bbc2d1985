import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { numberedUsername, usernameFrom } from './user-name.ts'

const atOnce = 10

/** Usernames and paths of groups are one space: whatever has a namespace is taken. */
const takenAmong = async (ctx: Context, names: readonly string[]): Promise<ReadonlySet<string>> => {
  const lowered = names.map((name) => name.toLowerCase())
  const namespaces = await ctx.db
    .selectFrom('namespace')
    .where(lower('fullPath'), 'in', lowered)
    .select('fullPath as name')
    .execute()
  const users = await ctx.db
    .selectFrom('user')
    .where(lower('username'), 'in', lowered)
    .select('username as name')
    .execute()
  return new Set([...namespaces, ...users].map(({ name }) => name.toLowerCase()))
}

/**
 * A legal username that nobody has, made of what an identity provider calls the user. The number is the smallest free one
 * among the first; beyond those it is one whose predecessor is taken, found in few steps however many there are.
 */
export async function freeUsername(ctx: Context, userName: string): Promise<string> {
  const base = usernameFrom(userName)
  const names = Array.from({ length: atOnce }, (_, attempt) => numberedUsername(base, attempt))
  const known = await takenAmong(ctx, names)
  const early = names.find((name) => !known.has(name.toLowerCase()))
  if (early !== undefined) return early
  const isTaken = async (attempt: number) => (await takenAmong(ctx, [numberedUsername(base, attempt)])).size > 0
  let [taken, free] = [atOnce - 1, atOnce * 2]
  while (await isTaken(free)) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return numberedUsername(base, free)
}

const isNumbered = (username: string, base: string): boolean =>
  username.startsWith(base) && /^[0-9]+$/.test(username.slice(base.length))

/** The username is what the provider says already, but for the number that tells it from one that is taken. */
export async function usernameStays(ctx: Context, username: string, userName: string): Promise<boolean> {
  const [present, base] = [username.toLowerCase(), usernameFrom(userName).toLowerCase()]
  if (present === base) return true
  return isNumbered(present, base) && (await takenAmong(ctx, [base])).has(base)
}
