import { type ErrorReason, isPlatformError, type PlatformError, type Problem } from '@forgelet/core'
import type { Reply } from './reply.ts'

/** Converts the name of an input to the name of its parameter. */
type GetWireName = (field: string) => string

const formatProblem = ({ fields, message }: Problem, toWireName: GetWireName) =>
  fields.length ? `${fields.map(toWireName).join(', ')} ${message}` : message

/** The message for a response: hints are for callers of the library, whose names of fields and types differ. */
export const messageWithoutHints = ({ message, problems }: PlatformError): string =>
  problems.some(({ hint }) => hint !== undefined)
    ? problems.map((problem) => formatProblem(problem, (field) => field)).join(', ')
    : message

const groupByField = (problems: readonly Problem[], toWireName: GetWireName) => {
  const fields: Record<string, string[]> = {}
  for (const problem of problems) {
    const field = toWireName(problem.fields[0] ?? 'base')
    fields[field] = [...(fields[field] ?? []), problem.message]
  }
  return fields
}

const realm = 'Bearer realm="Protected by OAuth 2.0"'

const createUnauthenticatedReply = ({ reason, message }: PlatformError): Reply => {
  if (reason !== 'expired' && reason !== 'revoked') return { status: 401, body: { message: '401 Unauthorized' } }
  return {
    status: 401,
    body: { error: 'invalid_token', error_description: message },
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token", error_description="${message}"` },
  }
}

const createRetryHeaders = ({ retryAfter }: PlatformError) =>
  retryAfter === undefined ? {} : { headers: { 'Retry-After': String(Math.ceil(retryAfter)) } }

/** The original's format for missing parameters, which clients also expect around whole sentences. */
const formatNotGiven = (text: string) => `400 (Bad request) "${text}" not given`

/** Replies for conflicts with a reason, in the forms of the original. */
const conflictReplies: Readonly<Partial<Record<ErrorReason, (error: PlatformError) => Reply>>> = {
  modified: () => ({ status: 412, body: { message: '412 Precondition Failed' } }),
  not_mergeable: () => ({ status: 405, body: { message: '405 Method Not Allowed' } }),
  duplicate: ({ message }) => ({ status: 409, body: { message: [message] } }),
}

/** Reasons of failed cherry-picks and reverts, which clients read. */
const errorCodes: ReadonlySet<ErrorReason> = new Set(['conflict', 'empty'])

type FormatReply = (error: PlatformError, toWireName: GetWireName) => Reply

const replyByCode: Readonly<Record<PlatformError['code'], FormatReply>> = {
  unauthenticated: createUnauthenticatedReply,
  invalid_input: ({ problems }, toWireName) => ({
    status: 400,
    body: { error: problems.map((problem) => formatProblem(problem, toWireName)).join(', ') },
  }),
  not_found: ({ kind }) => ({
    status: 404,
    body: { message: kind === undefined ? '404 Not found' : ['404', kind, 'Not Found'].filter(Boolean).join(' ') },
  }),
  forbidden: ({ reason, message }) => ({
    status: 403,
    body: { message: reason === undefined ? '403 Forbidden' : `403 Forbidden - ${message}` },
  }),
  insufficient_scope: ({ scopes = [] }) => ({
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: scopes.join(' '),
    },
  }),
  not_licensed: ({ message }) => ({ status: 403, body: { message: `403 Forbidden - ${message}` } }),
  invalid: ({ problems, message, reason }, toWireName) => ({
    status: 400,
    body: {
      message:
        reason === 'unsaved' ? formatNotGiven(message) : problems.length ? groupByField(problems, toWireName) : message,
      ...(reason !== undefined && errorCodes.has(reason) && { error_code: reason }),
    },
  }),
  conflict: (error) =>
    (error.reason && conflictReplies[error.reason]?.(error)) ?? { status: 409, body: { message: error.message } },
  unprocessable: ({ message, reason }) =>
    reason === 'artifacts_too_large'
      ? { status: 413, body: { message: '413 Request Entity Too Large' } }
      : { status: 422, body: { message: reason === 'not_mergeable' ? message : [message] } },
  limited: (error) => ({ status: 429, body: { message: { error: error.message } }, ...createRetryHeaders(error) }),
  unavailable: (error) => ({
    status: error.reason === 'full' ? 507 : 503,
    body: { message: error.message },
    ...createRetryHeaders(error),
  }),
}

/** The reply for a platform error; undefined for any other error. */
export const createErrorReply = (error: unknown, toWireName: GetWireName): Reply | undefined =>
  isPlatformError(error) ? replyByCode[error.code](error, toWireName) : undefined

export const routeNotFound: Reply = { status: 404, body: { error: '404 Not Found' } }
export const uriTooLong: Reply = {
  status: 414,
  body: { error: 'The request URL is longer than 8 KiB: send fewer parameters' },
}
export const badRequest = (text: string): Reply => ({ status: 400, body: { error: text } })
export const contentTooLarge: Reply = {
  status: 413,
  body: { error: 'The request body is too large' },
  headers: { Connection: 'close' },
}
export const requestTimeout: Reply = {
  status: 408,
  body: { error: 'The request took too long' },
  headers: { Connection: 'close' },
}
export const tooMuchContent: Reply = {
  status: 503,
  bytes: '{"error":"Too much content is waiting to be sent: try again later"}',
  headers: { 'Content-Type': 'application/json', 'Retry-After': '5' },
}
/** The log line's status of a request without a reply, as in nginx. */
export const clientDisconnected = 499
export const misdirectedRequest: Reply = {
  status: 421,
  body: { error: 'The Host header is not a name of this server: use its IP address, or the host of its base URL' },
}
export const internalServerError: Reply = { status: 500, body: { message: '500 Internal Server Error' } }
