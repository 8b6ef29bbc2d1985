import { expect, test } from 'vitest'
import { parseNaturalDate } from './natural-date.ts'

// A Saturday.
const today = '2026-11-21'

test.each([
  ['2026-12-01', '2026-12-01'],
  ['2026-2-3', '2026-02-03'],
  ['12/31/2026', '2026-12-31'],
  ['today', '2026-11-21'],
  ['Tomorrow', '2026-11-22'],
  ['yesterday', '2026-11-20'],
  ['in 2 days', '2026-11-23'],
  ['in a week', '2026-11-28'],
  ['3 weeks from now', '2026-12-12'],
  ['in 3 months', '2027-02-21'],
  ['next month', '2026-12-21'],
  ['next year', '2027-11-21'],
  ['this Friday', '2026-11-27'],
  ['next friday', '2026-11-27'],
  ['saturday', '2026-11-28'],
  ['December 31st', '2026-12-31'],
  ['Jan 2', '2027-01-02'],
  ['Jan 2, 2028', '2028-01-02'],
  ['31st of December', '2026-12-31'],
])('%j is %s', (text, expected) => {
  expect(parseNaturalDate(text, today)).toBe(expected)
})

test.each(['', 'soon', 'february 30', '2026-13-01', '2 days', 'in many days', 'fr'])('%j is no day', (text) => {
  expect(parseNaturalDate(text, today)).toBeUndefined()
})

test('a month without the day ends earlier', () => {
  expect(parseNaturalDate('in 1 month', '2027-01-31')).toBe('2027-02-28')
})
