import { expect, test } from 'vitest'
import { formatYaml, parseYaml } from './yaml.ts'

const read = (text: string) => parseYaml(`value: ${text}`).content.value

test.each([
  ['3.0', '3.0'],
  ['3.10', '3.1'],
  ['.5', '0.5'],
  ['1.', '1.0'],
  ['-2.50', '-2.5'],
  ['1.5e+3', '1500.0'],
  ['1e3', '1e3'],
  ['1.2.3', '1.2.3'],
  ['y', 'y'],
  ['N', 'N'],
  ['yes', true],
  ['Off', false],
  ['TRUE', true],
  ['1_000', 1000],
  ['1,000', 1000],
  ['012', 10],
  ['08', '08'],
  ['0o17', '0o17'],
  ['0x1F', 31],
  ['-0b101', -5],
  ['0', 0],
  ['1:30', 90],
  ['-1:00:01', -3601],
  ['80:80', '80:80'],
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31 10:00:00', '2026-01-31 10:00:00'],
  ['99999999999999999999', '99999999999999999999'],
  ['~', null],
  ['null', null],
  ['', null],
  ['"3.0"', '3.0'],
  ['!!str 012', '012'],
])('%s without quotes is %j', (text, value) => {
  expect(read(text)).toBe(value)
})

test('names of jobs are text', () => {
  expect(Object.keys(parseYaml('e1: {}\n1e5: {}\n1.10: {}\n2026-01-31: {}\ny: {}').content)).toEqual([
    ...['e1', '1e5', '1.1', '2026-01-31', 'y'],
  ])
})

test('a formatted text has the same values', () => {
  const value = parseYaml('a: 3.0\nb: y\nc: 08\nd: 1_000\ne: on\nf: 2026-01-31').content
  expect(parseYaml(formatYaml(value)).content).toEqual(value)
})
