import { expect, test } from 'vitest'
import { suggestName } from './similar-name.ts'

const names = ['identity', 'tier', 'secretKey', 'repositories']

test.each([
  ['identitiy', 'identity'],
  ['Tier', 'tier'],
  ['teir', 'tier'],
  ['secretkey', 'secretKey'],
  ['repository', 'repositories'],
])('%s means %s', (name, meant) => {
  expect(suggestName(name, names)).toBe(`Did you mean '${meant}'?`)
})

test('a name that resembles no other is answered with all names', () => {
  expect(suggestName('colour', names)).toBe('Known names: identity, tier, secretKey, repositories')
})
