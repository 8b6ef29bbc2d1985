import * as v from 'valibot'
import { availabilities } from '../features/accounts/user-statuses/status.ts'
import { isPlatformError } from '../kernel/errors.ts'
import { DateOnly } from '../kernel/inputs.ts'
import { scopes } from '../kernel/scopes.ts'
import type { Session } from '../session.ts'
import { KeyList, Profile, seedKeys } from './keys.ts'
import { atSeedPath, forEachItem } from './seed-path.ts'
import { CustomAttribute, defineSection, getOrCreate, Timestamp } from './seeder.ts'

const Token = v.strictObject({
  name: v.optional(v.string(), 'seed'),
  /** A fixed secret, for the configuration of tests and clients. */
  secret: v.string(),
  scopes: v.optional(v.array(v.picklist(scopes))),
  /** Text about the token. */
  description: v.optional(v.string()),
  /** First day on which the token is invalid, such as `2026-11-21`. Default: it does not expire. */
  expiresAt: v.optional(DateOnly),
  /** Revokes the token after its creation. */
  revoked: v.optional(v.boolean(), false),
})

const Status = v.strictObject({
  /** Name of an emoji without colons. Default: `speech_balloon`. */
  emoji: v.optional(v.string()),
  /** Plain text of at most 100 characters. */
  message: v.optional(v.string()),
  /** Whether the user is busy. Default: `not_set`. */
  availability: v.optional(v.picklist(availabilities)),
})

const User = v.strictObject({
  username: v.string(),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  admin: v.optional(v.boolean()),
  external: v.optional(v.boolean()),
  privateProfile: v.optional(v.boolean()),
  /** Maximum number of personal projects. */
  projectsLimit: v.optional(v.number()),
  canCreateGroup: v.optional(v.boolean()),
  twoFactorEnabled: v.optional(v.boolean()),
  /** Whether the user was the bot of an access token, as in an export. */
  bot: v.optional(v.boolean()),
  /** Blocks the user; the user's tokens are then rejected. */
  blocked: v.optional(v.boolean(), false),
  /** URL of the picture. Default: a Gravatar or generated pattern. */
  avatarUrl: v.optional(v.string()),
  createdAt: Timestamp,
  /** Password for the sign-in page: 8 to 128 characters. An export does not contain it. */
  password: v.optional(v.string()),
  /** Personal access tokens. */
  tokens: v.optional(v.array(Token), []),
  /** Accounts of external identity providers. */
  identities: v.optional(v.array(v.strictObject({ provider: v.string(), externalUid: v.string() })), []),
  /** Custom attributes, which only administrators see. */
  customAttributes: v.optional(v.array(CustomAttribute), []),
  /** Additional e-mail addresses, which are confirmed. */
  emails: v.optional(v.array(v.string()), []),
  /** What the user is doing. */
  status: v.optional(Status),
  profile: Profile,
  keys: KeyList,
})

type NewToken = Parameters<Session['tokens']['create']>[0]

/** Undefined for a token that an existing user has. */
const createToken = async (host: Session, token: NewToken, isNewUser: boolean) => {
  try {
    return await host.tokens.create(token)
  } catch (error) {
    if (isNewUser || !isPlatformError(error) || error.code !== 'conflict') throw error
    return undefined
  }
}

/** Users with their tokens, profiles and SSH keys. */
export const usersSection = defineSection('users', User, async (seeder, fields) => {
  const { tokens, identities, customAttributes, emails, status, profile, keys, ...others } = fields
  const { password, blocked, createdAt, ...user } = others
  const host = seeder.asHost(createdAt)
  const { username: _, bot: _bot, ...changes } = user
  const { item, isNew } = await getOrCreate(
    seeder,
    () => host.users.get({ user: user.username }),
    () => host.users.create(user),
    ({ id }) => host.users.update({ ...changes, user: id }),
  )
  const { id, username } = item
  const isChangeable = isNew || seeder.existing === 'update'
  await forEachItem('tokens', tokens, async ({ revoked, ...token }) => {
    const created = await createToken(host, { user: id, ...token }, isNew)
    if (created && revoked) await host.tokens.revoke({ token: created.id })
  })
  await forEachItem('identities', identities, (identity) => host.identities.link({ user: id, ...identity }))
  if (isChangeable) {
    await forEachItem('customAttributes', customAttributes, (attribute) =>
      host.customAttributes.set({ user: id, ...attribute }),
    )
  }
  if (isNew) {
    await forEachItem('emails', emails, (email) => host.emails.create({ user: id, email, skipConfirmation: true }))
  }
  if (status && isChangeable) await atSeedPath('.status', () => seeder.asUser(id, createdAt).userStatuses.set(status))
  if (password !== undefined && isChangeable) {
    await atSeedPath('.password', () => host.passwords.set({ user: id, password }))
  }
  if (profile && isChangeable) await atSeedPath('.profile', () => host.users.update({ user: id, ...profile }))
  await seedKeys(seeder, keys, { user: id, username, isNew })
  if (blocked && isChangeable) await host.users.block({ user: id })
  seeder.record('users', username, { id, username })
})
