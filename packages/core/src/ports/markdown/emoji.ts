import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { emojiTables } from './libraries.ts'

const colon = 58
const code = /:([a-z0-9_+-]{1,64}):(?![\p{L}\p{N}:])/uy
const skinTones = ['🏻', '🏼', '🏽', '🏾', '🏿']

/** Names that GitLab uses instead of the first name in the table of gemoji. */
const preferredNames: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

/** The character of an emoji name such as `tada`, also with a skin tone: `thumbsup_tone3`. */
export const emojiCharacter = (name: string): string | undefined => {
  const { nameToEmoji } = emojiTables()
  if (Object.hasOwn(nameToEmoji, name)) return nameToEmoji[name]
  const toned = /^(.+)_tone([1-5])$/.exec(name)
  const base = toned?.[1]
  if (base === undefined || !Object.hasOwn(nameToEmoji, base)) return undefined
  return `${nameToEmoji[base]}${skinTones[Number(toned?.[2]) - 1]}`
}

const findName = (character: string): string | undefined => {
  const { emojiToName } = emojiTables()
  // The variation selector for the colorful form is optional in practice.
  const bare = character.replaceAll('\u{fe0f}', '')
  const written = [character, bare, `${bare}\u{fe0f}`].find((form) => Object.hasOwn(emojiToName, form))
  const name = written === undefined ? undefined : emojiToName[written]
  return name === undefined ? undefined : (preferredNames[name] ?? name)
}

/** The name of a single emoji character, with `_tone1` to `_tone5` for skin tones; undefined for any other text. */
export const emojiName = (character: string): string | undefined => {
  const exact = findName(character)
  if (exact !== undefined) return exact
  const tone = skinTones.findIndex((each) => character.includes(each))
  const base = tone < 0 ? undefined : findName(character.replace(skinTones[tone] ?? '', ''))
  return base === undefined ? undefined : `${base}_tone${tone + 1}`
}

/** The stored name of an emoji: `thumbsup` for `+1`. */
export const preferredEmojiName = (name: string): string => preferredNames[name] ?? name

let descriptions: ReadonlyMap<string, string> | undefined

/** The description of an emoji: `party popper`. */
const descriptionOf = (character: string): string | undefined => {
  descriptions ??= new Map(emojiTables().gemoji.map((entry) => [entry.emoji, entry.description]))
  return descriptions.get(character)
}

const emoji = (state: StateInline, silent: boolean): boolean => {
  if (state.src.charCodeAt(state.pos) !== colon) return false
  if (/[\p{L}\p{N}:]/u.test(state.src[state.pos - 1] ?? '')) return false
  code.lastIndex = state.pos
  const name = code.exec(state.src)?.[1]
  if (name === undefined || state.pos + name.length + 2 > state.posMax) return false
  const character = emojiCharacter(name)
  if (character === undefined) return false
  if (!silent) {
    const token = state.push('emoji', 'gl-emoji', 0)
    token.content = character
    token.info = name
  }
  state.pos += name.length + 2
  return true
}

/** Emoji names between colons become their characters. */
export const withEmoji = (parser: MarkdownIt): void => {
  parser.inline.ruler.before('newline', 'emoji', emoji)
  parser.renderer.rules.emoji = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    const title = descriptionOf(content) ?? info
    return `<gl-emoji title="${escapeHtml(title)}" data-name="${escapeHtml(info)}">${content}</gl-emoji>`
  }
}
