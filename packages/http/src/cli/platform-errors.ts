import { isPlatformError } from '@forgelet/core'
import { describeError } from '../app/error-text.ts'
import { CliError, UsageError } from './cli-error.ts'

/** `expiresAt[0]` → `--expires-at`. */
const optionOf = (field: string) =>
  `--${(field.split(/[.[]/)[0] ?? field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Names the options instead of the input fields: `--expires-at is invalid`. Other errors are returned unchanged. */
export const toCliError = (error: unknown): unknown => {
  if (!isPlatformError(error)) return error
  const { code, message, problems } = error
  if (code !== 'invalid_input' && code !== 'invalid')
    return new CliError(code === 'unavailable' ? describeError(error) : message)
  const sentences = problems.map((problem) => [...problem.fields.map(optionOf), problem.message].join(' '))
  return new UsageError([...new Set(sentences)].join(', ') || message)
}
