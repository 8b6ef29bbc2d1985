import { describe, expect, test } from 'vitest'
import { parseHumanDuration } from './human-duration.ts'

const day = 86_400

describe('parseHumanDuration', () => {
  test.each([
    ['1s', 1],
    ['5 sec', 5],
    ['2 seconds', 2],
    ['1m', 60],
    ['3 min', 180],
    ['1 minute', 60],
    ['1h', 3600],
    ['2hr', 7200],
    ['1.5 hours', 5400],
    ['1d', day],
    ['30 days', 30 * day],
    ['1w', 7 * day],
    ['2 weeks', 14 * day],
    ['1mo', 30 * day],
    ['1month', 30 * day],
    ['3 months', 90 * day],
    ['1y', 365.25 * day],
    ['2 yr', 730.5 * day],
    ['1 year', 365.25 * day],
  ])('parses one unit: %s', (text, seconds) => {
    expect(parseHumanDuration(text)).toBe(seconds)
  })

  test.each([
    ['1h30m', 5400],
    ['1 h 30 m', 5400],
    ['2 weeks and 3 days', 17 * day],
    ['1 year, 2 months, and 4 hours', 365.25 * day + 60 * day + 4 * 3600],
    ['3 mins 4 sec', 184],
    ['1 DAY 2 Hours', day + 7200],
    ['  7\tdays\n', 7 * day],
  ])('adds several units: %s', (text, seconds) => {
    expect(parseHumanDuration(text)).toBe(seconds)
  })

  test.each([
    ['1:30', 90],
    ['2:00:05', 7205],
    ['1 : 30', 90],
    ['1:0:0:0', day],
    ['1:0:0:0:0', 30 * day],
  ])('parses the clock format: %s', (text, seconds) => {
    expect(parseHumanDuration(text)).toBe(seconds)
  })

  test.each([
    ['30', 30],
    ['1 day 2', day + 2],
    ['month', 30 * day],
    ['day and 2 hours', day + 7200],
    ['0', 0],
  ])('accepts a missing unit at the end and a missing number at the start: %s', (text, seconds) => {
    expect(parseHumanDuration(text)).toBe(seconds)
  })

  test.each([
    '',
    '   ',
    'soon',
    'and',
    ',',
    '1 fortnight',
    '-1 day',
    '1,000 days',
    '3 4 days',
    '1 day hours',
    '5 and days',
    '1:',
    ':30',
    '1:30 hours',
    '1:2:3:4:5:6:7',
    '1.2.3 s',
    '1e3 s',
    '5 constructor',
    '١ day',
    `${'9'.repeat(400)} days`,
  ])('rejects %j', (text) => {
    expect(parseHumanDuration(text)).toBeUndefined()
  })

  test('parses texts of hundreds of thousands of characters', () => {
    expect(parseHumanDuration('1 '.repeat(200_000))).toBeUndefined()
    expect(parseHumanDuration('9'.repeat(400_000))).toBeUndefined()
    expect(parseHumanDuration('1 s '.repeat(100_000))).toBe(100_000)
    expect(parseHumanDuration('1:'.repeat(200_000))).toBeUndefined()
  })
})
