import { describe, expect, test } from 'vitest'
import { extractQuickActions, splitWords } from './parser.ts'

const actionNamesIn = (body: string) => extractQuickActions(body).actions.map(({ name }) => name)

describe('quick actions', () => {
  test('are separate lines with an optional argument', () => {
    expect(extractQuickActions('Done.\n/close\n/label ~bug  \n\nThanks\n/TITLE  Two words')).toEqual({
      text: 'Done.\n\nThanks',
      actions: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~bug' },
        { name: 'title', argument: 'Two words' },
      ],
    })
  })

  test('may end in carriage returns', () => {
    expect(extractQuickActions('/close\r\n/label a\r\n')).toEqual({
      text: '',
      actions: [
        { name: 'close', argument: '' },
        { name: 'label', argument: 'a' },
      ],
    })
  })

  test.each(['a /close', ' /close', '/closed', '/close/it', '//close', '/unknown', '/constructor', '/', 'a/close'])(
    'are not recognized in %j, which stays unchanged',
    (body) => {
      expect(extractQuickActions(`${body} \n`)).toEqual({ text: `${body} \n`, actions: [] })
    },
  )

  test.each([
    ['a fence', '```\n/close\n```'],
    ['a fence of tildes with a language', '~~~ sh\n/close\n~~~'],
    ['a fence that a shorter one does not close', '````\n```\n/close\n````'],
    ['a fence without an end', '```\n/close'],
    ['a quote of several lines', '>>>\n/close\n>>>'],
    ['HTML', '<details>\n/close\n</details>'],
    ['a quote', '> /close'],
    ['a span over several lines', 'so `a\n/close\nb` it is'],
    ['a span with two backticks', '``a`\n/close\nb``'],
  ])('are not recognized in %s', (_, body) => {
    expect(extractQuickActions(body)).toEqual({ text: body, actions: [] })
  })

  test.each([
    ['after a fence', '```\na\n```\n/close'],
    ['after a span', '`a` b\n/close'],
    ['after a backtick without a partner', 'a ` b\n/close'],
    ['between backticks of two paragraphs', 'a `\n\n/close\n\n` b'],
    ['after a run of another length', 'a `` b\n/close\n` c'],
  ])('are recognized %s', (_, body) => {
    expect(actionNamesIn(body)).toEqual(['close'])
  })

  test('append texts to what follows them', () => {
    expect(extractQuickActions('Well\n/shrug No idea\n/tableflip')).toEqual({
      text: 'Well\nNo idea ¯\\＿(ツ)＿/¯\n(╯°□°)╯︵ ┻━┻',
      actions: [],
    })
  })

  test('are limited to 50 per comment; further ones stay in the text', () => {
    const { text, actions } = extractQuickActions('/close\n'.repeat(60))
    expect(actions).toHaveLength(50)
    expect(text).toBe('/close\n'.repeat(10).trim())
  })

  test('are parsed in linear time', () => {
    expect(actionNamesIn(`${'`'.repeat(3)}a\n${'` `` '.repeat(100_000)}`)).toEqual([])
    expect(actionNamesIn(`${'`a '.repeat(200_001)}\n/close`)).toEqual(['close'])
    expect(actionNamesIn('/a'.repeat(300_000))).toEqual([])
  })
})

test('splits quoted and unquoted words, with or without their sign', () => {
  expect(splitWords('~bug, ~"needs review" other "two words"', '~')).toEqual([
    'bug',
    'needs review',
    'other',
    'two words',
  ])
  expect(splitWords('@ann,@ben  me', '@')).toEqual(['ann', 'ben', 'me'])
  expect(splitWords('~"open ~', '~')).toEqual(['"open'])
  expect(splitWords('', '~')).toEqual([])
})

test('splits at most 50 distinct words', () => {
  expect(splitWords('~a '.repeat(100_000), '~')).toEqual(['a'])
  const many = Array.from({ length: 60 }, (_, index) => `~l${index}`).join(' ')
  expect(splitWords(many, '~')).toHaveLength(50)
})
