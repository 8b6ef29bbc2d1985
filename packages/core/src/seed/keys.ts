import * as v from 'valibot'
import { readAll } from './pages.ts'
import { type Seeder, Timestamp } from './seeder.ts'

const Key = v.strictObject({
  key: v.string(),
  title: v.optional(v.string()),
  /** Time after which the key is rejected; ISO 8601, UTC without an offset. Default: it does not expire. */
  expiresAt: v.optional(v.string()),
  createdAt: Timestamp,
})

/** SSH keys of a user. */
export const KeyList = v.optional(v.array(Key), [])

/** Profile fields of a user. */
export const Profile = v.optional(
  v.strictObject({
    bio: v.optional(v.string()),
    location: v.optional(v.string()),
    publicEmail: v.optional(v.string()),
    skype: v.optional(v.string()),
    linkedin: v.optional(v.string()),
    twitter: v.optional(v.string()),
    websiteUrl: v.optional(v.string()),
    organization: v.optional(v.string()),
    jobTitle: v.optional(v.string()),
    pronouns: v.optional(v.string()),
    discord: v.optional(v.string()),
    github: v.optional(v.string()),
    /** Text for administrators. */
    note: v.optional(v.string()),
  }),
)

/** Type and key, without the comment. */
export const publicKeyOf = (key: string): string => key.trim().split(/\s+/, 2).join(' ')

export async function seedKeys(
  seeder: Seeder,
  items: v.InferOutput<typeof KeyList>,
  owner: { readonly user: number; readonly username: string; readonly isNew: boolean },
): Promise<void> {
  const keys = owner.isNew ? [] : await readAll(seeder.asHost().keys.list, { user: owner.user })
  const existing = new Set(keys.map(({ key }) => publicKeyOf(key)))
  for (const { createdAt, ...fields } of items) {
    if (existing.has(publicKeyOf(fields.key))) continue
    const { id, title } = await seeder.asHost(createdAt).keys.create({ user: owner.user, ...fields })
    seeder.record('keys', `${owner.username} ${title}`, { id })
  }
}
