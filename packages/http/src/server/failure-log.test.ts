import { expect, test } from 'vitest'
import { createFailureLog } from './failure-log.ts'

const createLog = () => {
  let seconds = 0
  const lines: string[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${seconds} ${level} ${message} ${JSON.stringify(fields)}`)
  const log = createFailureLog({ info: write('info'), error: write('error') }, 'jobs', () => seconds * 1_000)
  const fail = (from: number, to: number) => {
    for (seconds = from; seconds <= to; seconds++) log.onError(new Error('down'))
  }
  const recover = (at: number) => {
    seconds = at
    log.onRecovery()
  }
  return { lines, fail, recover }
}

const line = (second: number, failures: number) =>
  `${second} error jobs {"error":"down"${failures > 1 ? `,"failures":${failures}` : ''}}`

test('logs an outage with growing pauses of at most a minute, and the recovery once', () => {
  const { lines, fail, recover } = createLog()
  fail(0, 200)
  recover(201)
  recover(202)
  expect(lines).toEqual([
    line(0, 1),
    line(1, 1),
    line(3, 2),
    line(7, 4),
    line(15, 8),
    line(31, 16),
    line(63, 32),
    line(123, 60),
    line(183, 60),
    '201 info jobs recovered {}',
  ])
})

test('logs the next outage at once', () => {
  const { lines, fail, recover } = createLog()
  fail(0, 10)
  recover(11)
  fail(80, 80)
  expect(lines.at(-1)).toBe(line(80, 4))
})

test('logs a task that alternates between failure and success as one outage', () => {
  const { lines, fail, recover } = createLog()
  for (let second = 0; second < 600; second += 2) {
    fail(second, second)
    recover(second + 1)
  }
  // One line for each growing pause, and one recovery after each.
  expect(lines.filter((text) => text.includes('error'))).toHaveLength(15)
  expect(lines.filter((text) => text.includes('recovered'))).toHaveLength(15)
})
