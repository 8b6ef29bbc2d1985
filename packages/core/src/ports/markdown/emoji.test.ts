import { expect, test } from 'vitest'
import { embeddedMarkdown } from '../markdown.ts'

const { line } = embeddedMarkdown()
const tada = '<gl-emoji title="party popper" data-name="tada">🎉</gl-emoji>'

test.each([
  [':tada:', tada],
  ['a :tada:, b', `a ${tada}, b`],
  [':tada: :tada:', `${tada} ${tada}`],
  ['**:tada:**', `<strong>${tada}</strong>`],
  ['[:tada:](u)', `<a href="u" rel="nofollow noreferrer noopener">${tada}</a>`],
  [':+1:', '<gl-emoji title="thumbs up" data-name="+1">👍</gl-emoji>'],
  [':white_check_mark:', '<gl-emoji title="check mark button" data-name="white_check_mark">✅</gl-emoji>'],
  ['![a :tada: b](u)', '<img src="u" alt="a 🎉 b">'],
])('%s is an emoji', (text, html) => {
  expect(line(text)).toBe(html)
})

test.each([
  ':nope:',
  'a:tada:',
  ':tada:a',
  '10:tada:30',
  ':tada::tada:',
  '::tada:',
  ':TADA:',
  ':tada',
  '\\:tada:',
  ':tada\\:',
  ':constructor:',
  '12:34:56',
])('%s is not an emoji', (text) => {
  expect(line(text)).toBe(text.replace('\\', ''))
})

test('code and URLs contain no emoji', () => {
  expect(line('`:tada:`')).toBe('<code>:tada:</code>')
  expect(line('http://a.b/:tada:')).toContain('>http://a.b/:tada</a>:')
})
