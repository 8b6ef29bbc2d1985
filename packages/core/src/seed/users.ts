import * as v from 'valibot'
import { DateOnly } from '../kernel/inputs.ts'
import { scopes } from '../kernel/scopes.ts'
import { KeyList, Profile, seedKeys } from './keys.ts'
import { atSeedPath, forEachItem } from './seed-path.ts'
import { CustomAttribute, defineSection, Timestamp } from './seeder.ts'

const Token = v.strictObject({
  name: v.optional(v.string(), 'seed'),
  /** A fixed secret, for the configuration of tests and clients. */
  secret: v.string(),
  scopes: v.optional(v.array(v.picklist(scopes))),
  expiresAt: v.optional(DateOnly),
  revoked: v.optional(v.boolean(), false),
})

const User = v.strictObject({
  username: v.string(),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  admin: v.optional(v.boolean()),
  external: v.optional(v.boolean()),
  privateProfile: v.optional(v.boolean()),
  blocked: v.optional(v.boolean(), false),
  avatarUrl: v.optional(v.string()),
  createdAt: Timestamp,
  tokens: v.optional(v.array(Token), []),
  /** Accounts of external identity providers. */
  identities: v.optional(v.array(v.strictObject({ provider: v.string(), externalUid: v.string() })), []),
  customAttributes: v.optional(v.array(CustomAttribute), []),
  profile: Profile,
  keys: KeyList,
})

export const usersSection = defineSection('users', User, async (seeder, item) => {
  const { tokens, identities, customAttributes, profile, keys, blocked, createdAt, ...user } = item
  const host = seeder.asHost(createdAt)
  const { id, username } = await host.users.create(user)
  await forEachItem('tokens', tokens, async ({ revoked, ...token }) => {
    const { id: tokenId } = await host.tokens.create({ user: id, ...token })
    if (revoked) await host.tokens.revoke({ token: tokenId })
  })
  await forEachItem('identities', identities, (identity) => host.identities.link({ user: id, ...identity }))
  await forEachItem('customAttributes', customAttributes, (attribute) =>
    host.customAttributes.set({ user: id, ...attribute }),
  )
  if (profile) await atSeedPath('.profile', () => host.profiles.update({ user: id, ...profile }))
  await seedKeys(seeder, keys, { user: id, username })
  if (blocked) await host.users.block({ user: id })
  seeder.record('users', username, { id, username })
})
