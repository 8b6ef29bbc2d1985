import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { readEmailAddresses } from './email-addresses.ts'

type HostnameSetting = Pick<Settings, 'commitEmailHostname'>

/** The stored text for the private address, which receives no mail. */
const privateEmail = '_private'

const defaultHostname = 'users.noreply.localhost'

/** Address of a user that reveals none of the user's own. */
export const toPrivateEmail = (
  { commitEmailHostname }: HostnameSetting,
  { id, username }: { readonly id: number; readonly username: string },
): string => `${id}-${username}@${commitEmailHostname ?? defaultHostname}`

/** Address that the platform writes into commits of a user. */
export const toCommitEmail = (
  settings: HostnameSetting,
  user: {
    readonly id: number
    readonly username: string
    readonly email: string
    readonly commitEmail: string | null
  },
): string => (user.commitEmail === privateEmail ? toPrivateEmail(settings, user) : (user.commitEmail ?? user.email))

/** The addresses of a user that identify commits, in lowercase: the primary, the confirmed ones and the private one. */
export const readCommitEmails = async (ctx: Context, userId: number): Promise<ReadonlySet<string>> => {
  const settings = await getSettings(ctx)
  const user = await ctx.db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['id', 'username'])
    .executeTakeFirstOrThrow()
  const addresses = [...(await readEmailAddresses(ctx, userId)), toPrivateEmail(settings, user)]
  return new Set(addresses.map((address) => address.toLowerCase()))
}

/** Those of the addresses, in lowercase, that are the private one of a user. */
export const selectPrivateEmails = async (ctx: Context, emails: readonly string[]): Promise<readonly string[]> => {
  const settings = await getSettings(ctx)
  const ids = emails.map((email) => Number.parseInt(email, 10)).filter((id) => Number.isSafeInteger(id))
  if (!ids.length) return []
  const users = await ctx.db.selectFrom('user').where('id', 'in', ids).select(['id', 'username']).execute()
  return users.map((user) => toPrivateEmail(settings, user).toLowerCase())
}

export const commitEmailInput = {
  /**
   * Address that the platform writes into commits of the user: a confirmed address of the user, `_private` for one that receives no
   * mail, or an empty text for the primary one.
   */
  commitEmail: v.optional(v.pipe(v.string(), v.maxLength(255))),
}

/**
 * The stored form of a new commit address.
 *
 * @throws PlatformError `invalid` for an address that is not a confirmed one of the user
 */
export const parseCommitEmail = async (ctx: Context, userId: number, email: string): Promise<string | null> => {
  if (email === '') return null
  if (email === privateEmail) return email
  const own = (await readEmailAddresses(ctx, userId)).find((address) => address.toLowerCase() === email.toLowerCase())
  if (own === undefined) throw invalid({ commitEmail: ['is not an email you own'] })
  return own
}
