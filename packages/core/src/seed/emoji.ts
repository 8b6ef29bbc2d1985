import * as v from 'valibot'
import type { NoteableRef } from '../features/collaboration/notes/noteable.ts'
import type { Seeder } from './seeder.ts'

/** Award emoji by name, with the usernames of their authors. */
export const EmojiList = v.optional(
  v.array(
    v.strictObject({
      /** Without colons, such as `thumbsup`. */
      name: v.string(),
      /** Usernames. */
      users: v.array(v.string()),
    }),
  ),
  [],
)

/** Gives an item its emoji. */
export const seedEmoji = async (
  seeder: Seeder,
  emoji: v.InferOutput<typeof EmojiList>,
  item: NoteableRef,
): Promise<void> => {
  for (const { name, users } of emoji) {
    for (const user of users) {
      await seeder.asHost().awardEmoji.create({ ...item, name, user })
      await seeder.endStep()
    }
  }
}
