import { describe, expect, test } from 'vitest'
import { takeCommands, wordsIn } from './command-text.ts'

const namesIn = (body: string) => takeCommands(body).commands.map(({ name }) => name)

describe('commands', () => {
  test('are lines of their own, with what follows the name', () => {
    expect(takeCommands('Done.\n/close\n/label ~bug  \n\nThanks\n/TITLE  Two words')).toEqual({
      text: 'Done.\n\nThanks',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~bug' },
        { name: 'title', argument: 'Two words' },
      ],
    })
  })

  test('may end in carriage returns', () => {
    expect(takeCommands('/close\r\n/label a\r\n')).toEqual({
      text: '',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: 'a' },
      ],
    })
  })

  test.each(['a /close', ' /close', '/closed', '/close/it', '//close', '/unknown', '/constructor', '/', 'a/close'])(
    'are not in %j, which stays as it is',
    (body) => {
      expect(takeCommands(`${body} \n`)).toEqual({ text: `${body} \n`, commands: [] })
    },
  )

  test.each([
    ['a fence', '```\n/close\n```'],
    ['a fence of tildes with a language', '~~~ sh\n/close\n~~~'],
    ['a fence that a shorter one does not close', '````\n```\n/close\n````'],
    ['a fence without an end', '```\n/close'],
    ['a span over several lines', 'so `a\n/close\nb` it is'],
    ['a span with two backticks', '``a`\n/close\nb``'],
  ])('are not in %s', (_, body) => {
    expect(takeCommands(body)).toEqual({ text: body, commands: [] })
  })

  test.each([
    ['after a fence', '```\na\n```\n/close'],
    ['after a span', '`a` b\n/close'],
    ['after a backtick without a partner', 'a ` b\n/close'],
    ['between backticks of two paragraphs', 'a `\n\n/close\n\n` b'],
    ['after a run of another length', 'a `` b\n/close\n` c'],
  ])('are found %s', (_, body) => {
    expect(namesIn(body)).toEqual(['close'])
  })

  test('are fifty at most: further ones stay in the text', () => {
    const { text, commands } = takeCommands('/close\n'.repeat(60))
    expect(commands).toHaveLength(50)
    expect(text).toBe('/close\n'.repeat(10).trim())
  })

  test('are looked for in texts of any length', () => {
    expect(namesIn(`${'`'.repeat(3)}a\n${'` `` '.repeat(100_000)}`)).toEqual([])
    expect(namesIn(`${'`a '.repeat(200_001)}\n/close`)).toEqual(['close'])
    expect(namesIn('/a'.repeat(300_000))).toEqual([])
  })
})

test('words are bare or in quotes, with or without their sign', () => {
  expect(wordsIn('~bug, ~"needs review" other "two words"', '~')).toEqual(['bug', 'needs review', 'other', 'two words'])
  expect(wordsIn('@ann,@ben  me', '@')).toEqual(['ann', 'ben', 'me'])
  expect(wordsIn('~"open ~', '~')).toEqual(['"open'])
  expect(wordsIn('', '~')).toEqual([])
})
