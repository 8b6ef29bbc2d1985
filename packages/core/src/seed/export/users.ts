import { isDeepStrictEqual } from 'node:util'
import { createGravatarUrl } from '../../features/accounts/users/user.ts'
import { requireDetails, type UserDetail } from '../../features/accounts/users/user-detail.ts'
import { defaultAppearance } from '../../features/administration/appearances/queries.ts'
import { keysOf } from '../../shared/keys-of.ts'
import { Profile } from '../keys.ts'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, exportAvatarUrl, present } from './exporter.ts'

type SeedUser = NonNullable<Seed['users']>[number]

const profileFields = keysOf(Profile.wrapped.entries)

/** A status without end; undefined for none. */
const exportStatus = async ({ host, omit }: Exporter, user: number): Promise<SeedUser['status']> => {
  const { emoji, message, availability, clearStatusAt } = await host.userStatuses.get({ user })
  if (clearStatusAt !== null) omit('statuses of users that end')
  const isNone = message === '' && availability === 'not_set' && emoji === 'speech_balloon'
  return clearStatusAt !== null || isNone ? undefined : { emoji, availability, ...present({ message }) }
}

/** The limits of a user that differ from those of new users. */
const exportLimits = ({ bot, external, projectsLimit, canCreateGroup }: UserDetail, defaultProjectsLimit: number) => ({
  ...(!bot && projectsLimit !== defaultProjectsLimit && { projectsLimit }),
  ...(!bot && !external && !canCreateGroup && { canCreateGroup }),
})

/** All users in the order of their creation, with the bots of access tokens. */
export async function exportUsers(exporter: Exporter): Promise<SeedUser[]> {
  const { host, omit } = exporter
  const users: SeedUser[] = []
  const deployTokens = await host.deployTokens.list({ perPage: 1 })
  if (deployTokens.items.length) omit('deploy tokens, of which only hashes are stored')
  if ((await host.instanceFeatures.list({ perPage: 1 })).items.length) omit('feature flags of the instance')
  if (!isDeepStrictEqual(await host.appearances.get(), defaultAppearance)) omit('the appearance of the instance')
  const { defaultProjectsLimit } = await host.settings.get()
  for (const user of await readAll(host.users.list, { sort: 'asc' })) {
    const { id, username, name, email, avatarUrl, admin, external, privateProfile, bot, state, createdAt } = user
    const detail = requireDetails(await host.users.get({ user: id }))
    const profile = present(Object.fromEntries(profileFields.map((field) => [field, detail[field]])))
    const [tokens, keys, attributes] = [
      await host.tokens.list({ user: id, perPage: 1 }),
      await readAll(host.keys.list, { user: id }),
      await readAll(host.customAttributes.list, { user: id }),
    ]
    if (state !== 'active' && state !== 'blocked') omit('states of users other than blocked')
    if ((await host.gpgKeys.list({ user: id, perPage: 1 })).items.length) omit('GPG keys')
    const emails = await readAll(host.emails.list, { user: id })
    if (emails.some(({ confirmedAt }) => !confirmedAt)) omit('e-mail addresses that are not confirmed')
    if (tokens.items.length) omit('personal and other access tokens, of which only hashes are stored')
    users.push({
      username,
      name,
      email,
      createdAt,
      ...exportLimits(detail, defaultProjectsLimit),
      ...present({
        admin,
        external,
        privateProfile,
        bot,
        blocked: state !== 'active',
        twoFactorEnabled: detail.twoFactorEnabled,
        emails: emails.flatMap(({ email, confirmedAt }) => (confirmedAt ? email : [])),
        status: await exportStatus(exporter, id),
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
