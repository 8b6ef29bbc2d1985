import { describe, expect, test } from 'vitest'
import { emojiCharacter, emojiName } from './emoji.ts'
import { singleEmojiName } from './single-emoji.ts'

describe('a text that is one emoji', () => {
  test.each([
    [':thumbsup:', 'thumbsup'],
    [' :tada:\n', 'tada'],
    [':+1:', 'thumbsup'],
    [':-1:', 'thumbsdown'],
    [':poop:', 'poop'],
    [':thumbsup_tone3:', 'thumbsup_tone3'],
    ['👍', 'thumbsup'],
    ['🎉', 'tada'],
    ['❤️', 'heart'],
    ['❤', 'heart'],
    ['👍🏽', 'thumbsup_tone3'],
    ['🇩🇪', 'de'],
    ['👨‍👩‍👧‍👦', 'family_man_woman_girl_boy'],
    ['1️⃣', 'one'],
  ])('%j is %s', (text, name) => {
    expect(singleEmojiName(text)).toBe(name)
  })
  test.each([
    '',
    ' ',
    'a',
    '1',
    'thumbsup',
    ':nope:',
    ':constructor:',
    '::',
    ':tada: :tada:',
    ':tada:!',
    'x :tada:',
    '👍👍',
    '👍 ok',
    '🏽',
    `:${'a'.repeat(90)}:`,
  ])('%j is none', (text) => {
    expect(singleEmojiName(text)).toBeUndefined()
  })
})

test('names and characters lead to each other', () => {
  expect(emojiCharacter('tada')).toBe('🎉')
  expect(emojiCharacter('wave_tone1')).toBe('👋🏻')
  expect(emojiCharacter('__proto__')).toBeUndefined()
  expect(emojiCharacter('nope_tone1')).toBeUndefined()
  expect(emojiName('👋🏿')).toBe('wave_tone5')
  expect(emojiName('x')).toBeUndefined()
})
