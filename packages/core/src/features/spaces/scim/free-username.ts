import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { numberedUsername, toUsername } from './username.ts'

const batchSize = 10

/** Users and groups share one namespace, so group paths are taken as well. Results are in lower case. */
const findTakenNames = async (ctx: Context, names: readonly string[]): Promise<ReadonlySet<string>> => {
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
 * Derives a valid, unused username from the `userName` of an identity provider. Of the first `batchSize` candidates it
 * takes the first free one. Beyond those, an exponential and binary search finds a free number with a logarithmic
 * number of queries; the number before it is taken.
 */
export async function findFreeUsername(ctx: Context, userName: string): Promise<string> {
  const base = toUsername(userName)
  const names = Array.from({ length: batchSize }, (_, attempt) => numberedUsername(base, attempt))
  const takenNames = await findTakenNames(ctx, names)
  const firstFree = names.find((name) => !takenNames.has(name.toLowerCase()))
  if (firstFree !== undefined) return firstFree
  const isTaken = async (attempt: number) => (await findTakenNames(ctx, [numberedUsername(base, attempt)])).size > 0
  let [taken, free] = [batchSize - 1, batchSize * 2]
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

/** Whether a username matches the provider's `userName`, apart from a number added because the name is taken. */
export async function isUsernameCurrent(ctx: Context, username: string, userName: string): Promise<boolean> {
  const [current, base] = [username.toLowerCase(), toUsername(userName).toLowerCase()]
  if (current === base) return true
  return isNumbered(current, base) && (await findTakenNames(ctx, [base])).has(base)
}
