import { isDeepStrictEqual } from 'node:util'
import { createGravatarUrl } from '../../features/accounts/users/user.ts'
import { requireDetails } from '../../features/accounts/users/user-detail.ts'
import { defaultAppearance } from '../../features/administration/appearances/queries.ts'
import { keysOf } from '../../shared/keys-of.ts'
import { Profile } from '../keys.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, exportAvatarUrl, present } from './exporter.ts'

type SeedUser = NonNullable<Seed['users']>[number]

const profileFields = keysOf(Profile.wrapped.entries)

/** All users in the order of their creation, with the bots of access tokens. */
export async function exportUsers(exporter: Exporter): Promise<SeedUser[]> {
  const { host, omit } = exporter
  const users: SeedUser[] = []
  const deployTokens = await host.deployTokens.list({ perPage: 1 })
  if (deployTokens.items.length) omit('deploy tokens, of which only hashes are stored')
  if ((await host.instanceFeatures.list({ perPage: 1 })).items.length) omit('feature flags of the instance')
  if (!isDeepStrictEqual(await host.appearances.get(), defaultAppearance)) omit('the appearance of the instance')
  for (const user of await readAll(host.users.list, {})) {
    const { id, username, name, email, avatarUrl, admin, external, privateProfile, bot, state, createdAt } = user
    const detail = requireDetails(await host.users.get({ user: id }))
    const profile = present(Object.fromEntries(profileFields.map((field) => [field, detail[field]])))
    const [tokens, keys, attributes] = [
      await host.tokens.list({ user: id, perPage: 1 }),
      await readAll(host.keys.list, { user: id }),
      await readAll(host.customAttributes.list, { user: id }),
    ]
    if (state === 'banned' || state === 'deactivated') omit('states of users other than blocked')
    if ((await host.gpgKeys.list({ user: id, perPage: 1 })).items.length) omit('GPG keys')
    if (tokens.items.length) omit('personal and other access tokens, of which only hashes are stored')
    users.push({
      username,
      name,
      email,
      createdAt,
      ...present({
        admin,
        external,
        privateProfile,
        bot,
        blocked: state !== 'active',
        avatarUrl: avatarUrl === createGravatarUrl(detail) ? null : exportAvatarUrl(exporter, avatarUrl),
        identities: (await host.identities.list({ user: id })).map(({ provider, externalUid }) => ({
          provider,
          externalUid,
        })),
        customAttributes: attributes.map(({ key, value }) => ({ key, value })),
        keys: keys.map(({ title, key, expiresAt, createdAt }) => ({
          key,
          title,
          createdAt,
          ...present({ expiresAt }),
        })),
        profile: Object.keys(profile).length ? profile : undefined,
      }),
    })
  }
  return users
}
