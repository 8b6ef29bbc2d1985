import { isPlatformError } from '@forgelet/core'
import { Failure } from './failure.ts'
import { flagName } from './flag.ts'
import { UsageError } from './usage-error.ts'

/** What the platform refused, said about the flags that were given: `--expires-at is invalid`. Anything else stays. */
export const refused = (error: unknown): unknown => {
  if (!isPlatformError(error)) return error
  const { code, message, problems } = error
  if (code !== 'invalid_input' && code !== 'invalid') return new Failure(message)
  const sentences = problems.map(({ fields, message: says }) =>
    [...fields.map((field) => `--${flagName(field.split(/[.[]/)[0] ?? field)}`), says].join(' '),
  )
  return new UsageError([...new Set(sentences)].join(', ') || message)
}
