import { expect, test } from 'vitest'
import { findReadme } from './readme.ts'

test.each([
  [['index.html', 'README.md'], 'README.md'],
  [['readme', 'README.txt', 'Readme.rst', 'README.md'], 'README.md'],
  [['README', 'README.rst'], 'README.rst'],
  [['README.txt', 'README'], 'README'],
  [['README.md', 'readme.md'], 'README.md'],
  [['README.exe', 'READMEmd', 'my-README.md', 'README.md.bak'], null],
  [[], null],
])('finds the readme of %j: %s', (names, expected) => {
  expect(findReadme(names)).toBe(expected)
})
