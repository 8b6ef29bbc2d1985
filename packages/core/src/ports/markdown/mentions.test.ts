import { expect, test } from 'vitest'
import { findMentions } from './mentions.ts'

const names = (text: string) => findMentions(text).map(({ name }) => name)
const addressed = (text: string) => findMentions(text).flatMap(({ name, addressed }) => (addressed ? name : []))

test('users and groups are mentioned anywhere in a text, each once', () => {
  expect(names('Hi @alice and @group/sub.\n\n- **@bob**, @Alice\n\n> @carol')).toEqual([
    'alice',
    'group/sub',
    'bob',
    'carol',
  ])
})

test('code, links, addresses and attributes contain no mentions', () => {
  expect(
    names(
      '`@a` [@b](u) c@d.example \\@e <i title="@f">x</i> https://a.b/@g <code>@h</code>\n\n    @i\n\n```\n@j\n```\n\n<!-- @k -->',
    ),
  ).toEqual([])
  expect(names('no sign at all')).toEqual([])
})

test.each([
  ['@alice look', ['alice']],
  ['  \n@alice: look', ['alice']],
  ['@alice @bob\n@carol look, @dave', ['alice', 'bob', 'carol']],
  ['@alice, @bob', ['alice']],
  ['Hello @alice', []],
  ['Hello\n\n@alice', []],
  ['- @alice', []],
  ['> @alice', []],
  ['**@alice**', []],
  ['`x` @alice', []],
  ['Hi @alice @alice', []],
  ['@alice and later @ALICE', ['alice']],
])('%j addresses %j', (text, expected) => {
  expect(addressed(text)).toEqual(expected)
})
