import { expect, test } from 'vitest'
import { formatWorkDuration, parseWorkDuration } from './work-duration.ts'

test.each([
  ['1h', 3_600],
  ['3h30m', 12_600],
  ['1mo 1w 1d', 748_800],
  ['-30m', -1_800],
  ['0h', 0],
])('%s is %d seconds', (text, seconds) => expect(parseWorkDuration(text)).toBe(seconds))

test.each(['', 'soon', '1', '1x', 'h', '1h!', '1.5h', '999999999mo'])('%j is invalid', (text) =>
  expect(parseWorkDuration(text)).toBeUndefined(),
)

test.each([
  [0, ''],
  [12_600, '3h 30m'],
  [748_800, '1mo 1w 1d'],
  [-1_801, '-30m 1s'],
])('%d seconds are formatted as %j', (seconds, text) => expect(formatWorkDuration(seconds)).toBe(text))
