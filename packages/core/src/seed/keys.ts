import * as v from 'valibot'
import { At, type Planting } from './planting.ts'

const Key = v.strictObject({
  key: v.string(),
  title: v.optional(v.string()),
  expiresAt: v.optional(v.string()),
  createdAt: At,
})

/** SSH keys of a user. */
export const keyItems = v.optional(v.array(Key), [])

/** What a user tells of themselves. */
export const profileItem = v.optional(
  v.strictObject({
    bio: v.optional(v.string()),
    location: v.optional(v.string()),
    publicEmail: v.optional(v.string()),
    skype: v.optional(v.string()),
    linkedin: v.optional(v.string()),
    twitter: v.optional(v.string()),
    websiteUrl: v.optional(v.string()),
    organization: v.optional(v.string()),
  }),
)

/** Gives a user their keys. */
export async function plantKeys(
  planting: Planting,
  items: v.InferOutput<typeof keyItems>,
  on: { readonly user: number; readonly username: string },
): Promise<void> {
  for (const { createdAt, ...given } of items) {
    const { id, title } = await planting.at(createdAt).keys.add({ user: on.user, ...given })
    planting.note('keys', `${on.username} ${title}`, { id })
  }
}
