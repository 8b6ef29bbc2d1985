import { PlatformError } from '@forgelet/core'
import { expect, test } from 'vitest'
import { createErrorReply, messageWithoutHints } from './error-replies.ts'

const problems = [
  { fields: ['dueDate'], message: 'is invalid', hint: 'dueDate must be string' },
  { fields: ['title'], message: 'is missing' },
]

test.each([
  ['invalid_input', { error: 'due_date is invalid, title is missing' }],
  ['invalid', { message: { due_date: ['is invalid'], title: ['is missing'] } }],
] as const)('responses to %s contain no hints', (code, body) => {
  const error = new PlatformError(code, 'dueDate is invalid, title is missing. dueDate must be string', { problems })
  const toWireName = (field: string) => (field === 'dueDate' ? 'due_date' : field)
  expect(createErrorReply(error, toWireName)).toMatchObject({ status: 400, body })
  expect(messageWithoutHints(error)).toBe('dueDate is invalid, title is missing')
})

test('a message without hints stays as it is', () => {
  const error = new PlatformError('invalid', 'seed.settings: title is missing', { problems: problems.slice(1) })
  expect(messageWithoutHints(error)).toBe('seed.settings: title is missing')
})
