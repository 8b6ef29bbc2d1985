import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { createPrettyStream } from './pretty-log.ts'

const format = (entry: object) => {
  const lines: string[] = []
  const stream = createPrettyStream({ write: (line) => lines.push(line) })
  stream.write(`${JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', ...entry })}\n`)
  return stripVTControlCharacters(lines.join(''))
}

it('prints a request as one line', () => {
  const request = { requestId: 'r-1', method: 'GET', route: '/projects/:id', path: '/api/v4/projects/1', status: 200 }
  const entry = { ...request, milliseconds: 12.345, bytes: 100, userId: 7, operation: 'projects.get' }
  expect(format(entry)).toBe('03:04:05.678 GET /api/v4/projects/1 200 12 ms userId=7 operation=projects.get\n')
})

it('prints messages, workers, and the stack trace of an error', () => {
  expect(format({ msg: 'stopping', signal: 'SIGTERM', worker: 2 })).toBe(
    '03:04:05.678 worker 2 stopping signal=SIGTERM\n',
  )
  const failure = { level: 'error', msg: 'failed', requestId: 'r-1', error: 'Error: broken\n    at run (a.ts:1)' }
  expect(format(failure)).toBe('03:04:05.678 error failed requestId=r-1\n  Error: broken\n      at run (a.ts:1)\n')
})

it('escapes control characters, which could change the terminal', () => {
  expect(format({ method: 'GET', path: '/\u001b[2J\n', status: 404, milliseconds: 1 })).toBe(
    '03:04:05.678 GET /\\u001b[2J\\n 404 1 ms\n',
  )
})
