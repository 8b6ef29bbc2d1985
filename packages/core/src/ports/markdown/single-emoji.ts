import { emojiCharacter, emojiName, preferredEmojiName } from './emoji.ts'

/** Longer than every emoji name with colons and every emoji sequence. */
const maxLength = 80

/**
 * The name of the emoji when the text is a single one, as `:thumbsup:` or as its character. Undefined for other texts
 * and for several emoji.
 */
export const singleEmojiName = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > maxLength) return undefined
  const name = /^:([a-z0-9_+-]+):$/.exec(trimmed)?.[1]
  if (name !== undefined) return emojiCharacter(name) === undefined ? undefined : preferredEmojiName(name)
  // No emoji starts with a letter, so most texts do not load the table.
  return /^\p{L}/u.test(trimmed) ? undefined : emojiName(trimmed)
}
