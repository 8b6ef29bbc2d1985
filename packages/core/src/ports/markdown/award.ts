import { emojiCharacter, emojiName, usualEmojiName } from './emoji.ts'

/** The longest emoji name with its colons is shorter, and so is the longest sequence of one emoji. */
const longest = 80

/**
 * The emoji's name when the whole text is one emoji: `:thumbsup:` by name, or the character itself. Undefined for any
 * other text, also for several emoji.
 */
export const isAwardOnly = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > longest) return undefined
  const name = /^:([a-z0-9_+-]+):$/.exec(trimmed)?.[1]
  if (name !== undefined) return emojiCharacter(name) === undefined ? undefined : usualEmojiName(name)
  // Ordinary words need no table: no emoji begins with a letter.
  return /^\p{L}/u.test(trimmed) ? undefined : emojiName(trimmed)
}
