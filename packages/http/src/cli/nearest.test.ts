import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['port', 'host', 'data', 'database', 'base-url', 'token create', 'user create']

it.each([
  ['prot', 'port'],
  ['port', 'port'],
  ['databse', 'database'],
  ['baseurl', 'base-url'],
  ['tokens create', 'token create'],
  ['hots', 'host'],
])('%s is meant to be %s', (word, meant) => {
  expect(nearest(word, names)).toBe(meant)
})

it.each(['', 'x', 'colour', 'a'.repeat(100_000)])('nobody knows what is meant otherwise', (word) => {
  expect(nearest(word, names)).toBeUndefined()
})
