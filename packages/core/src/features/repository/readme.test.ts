import { expect, test } from 'vitest'
import { readmeAmong } from './readme.ts'

test.each([
  [['index.html', 'README.md'], 'README.md'],
  [['readme', 'README.txt', 'Readme.rst', 'README.md'], 'README.md'],
  [['README', 'README.rst'], 'README.rst'],
  [['README.txt', 'README'], 'README'],
  [['README.md', 'readme.md'], 'README.md'],
  [['README.exe', 'READMEmd', 'my-README.md', 'README.md.bak'], null],
  [[], null],
])('of %j it is %s', (names, expected) => {
  expect(readmeAmong(names)).toBe(expected)
})
