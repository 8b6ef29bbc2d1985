import { isPlatformError, type PlatformError } from '@forgelet/core'
import { messageWithoutHints } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import { UnsupportedContentTypeError } from '../request/body.ts'
import { BodyTimeoutError, BodyTooLargeError } from '../request/body-limits.ts'
import type { GitAction } from './git-routes.ts'

/** A reply whose text git shows to its user. */
export const gitErrorReply = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  bytes: `${text}\n`,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
})

const challenge = { 'WWW-Authenticate': 'Basic realm="Forgelet"' }

const isPush = (action: GitAction) => action.endsWith('receive-pack')

const replyByCode: Partial<
  Readonly<Record<PlatformError['code'], (error: PlatformError, action: GitAction) => Reply>>
> = {
  unauthenticated: () =>
    gitErrorReply(401, 'HTTP Basic: Access denied. Use a personal access token as the password.', challenge),
  not_found: () =>
    gitErrorReply(404, "The project you were looking for could not be found or you don't have permission to view it."),
  forbidden: (_, action) =>
    gitErrorReply(
      403,
      isPush(action)
        ? 'You are not allowed to push code to this project.'
        : 'You are not allowed to download code from this project.',
    ),
  insufficient_scope: (_, action) =>
    gitErrorReply(
      403,
      isPush(action)
        ? 'The token needs the scope write_repository or api.'
        : 'The token needs the scope read_repository, write_repository or api.',
    ),
  invalid: (error) => gitErrorReply(400, messageWithoutHints(error)),
  invalid_input: (error) => gitErrorReply(400, messageWithoutHints(error)),
  conflict: ({ message }) => gitErrorReply(409, message),
  unprocessable: ({ message }) => gitErrorReply(422, message),
}

/** The message for a client over SSH, which knows no status and no credential but its key. */
export const describeGitError = (error: unknown, action: GitAction): string => {
  if (!isPlatformError(error)) return 'The server has failed. Please try again later.'
  const text = String(replyByCode[error.code]?.(error, action).bytes ?? error.message).trimEnd()
  return error.code === 'forbidden' ? `${text}\n${error.message}` : text
}

const toRetryHeaders = ({ retryAfter }: PlatformError) =>
  retryAfter === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfter)) }

/** The reply for a body that cannot be received; undefined for other errors. */
const toBodyErrorReply = (error: unknown): Reply | undefined => {
  const close = { Connection: 'close' }
  if (error instanceof BodyTooLargeError) return gitErrorReply(413, 'The request body is too large', close)
  if (error instanceof BodyTimeoutError) return gitErrorReply(408, 'The request took too long', close)
  return error instanceof UnsupportedContentTypeError ? gitErrorReply(415, error.message) : undefined
}

/**
 * The reply for a platform error or an invalid body; undefined for any other error. An anonymous client is asked for a credential whether or not the
 * project exists.
 */
export const toGitErrorReply = (error: unknown, action: GitAction, isAnonymous: boolean): Reply | undefined => {
  if (!isPlatformError(error)) return toBodyErrorReply(error)
  const isDenied = ['unauthenticated', 'not_found', 'forbidden'].includes(error.code)
  if (isAnonymous && isDenied) {
    return gitErrorReply(401, 'Authentication is required: use a personal access token as the password.', challenge)
  }
  const reply = replyByCode[error.code]?.(error, action)
  if (reply !== undefined) return reply
  return gitErrorReply(error.code === 'limited' ? 429 : 503, error.message, toRetryHeaders(error))
}
