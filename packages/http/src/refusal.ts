import { isPlatformError, type PlatformError, type Problem } from '@forgelet/core'
import type { Reply } from './reply.ts'

/** Problems under their wire names: framework-level ones as one sentence, model-level ones by field. */
type Name = (field: string) => string

const sentence = ({ fields, message }: Problem, name: Name) =>
  fields.length ? `${fields.map(name).join(', ')} ${message}` : message

const byField = (problems: readonly Problem[], name: Name) => {
  const fields: Record<string, string[]> = {}
  for (const problem of problems) {
    const field = name(problem.fields[0] ?? 'base')
    fields[field] = [...(fields[field] ?? []), problem.message]
  }
  return fields
}

const realm = 'Bearer realm="Protected by OAuth 2.0"'

const unauthenticated = ({ reason, message }: PlatformError): Reply => {
  if (reason !== 'expired' && reason !== 'revoked') return { status: 401, body: { message: '401 Unauthorized' } }
  return {
    status: 401,
    body: { error: 'invalid_token', error_description: message },
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token", error_description="${message}"` },
  }
}

const retry = ({ retryAfter }: PlatformError) =>
  retryAfter === undefined ? {} : { headers: { 'Retry-After': String(Math.ceil(retryAfter)) } }

/** Meant for parameters that are not given; clients know it around whole sentences too. */
const notGiven = (text: string) => `400 (Bad request) "${text}" not given`

/** Each code of the platform and how it leaves. */
const replies: Readonly<Record<PlatformError['code'], (error: PlatformError, name: Name) => Reply>> = {
  unauthenticated,
  invalid_input: ({ problems }, name) => ({
    status: 400,
    body: { error: problems.map((problem) => sentence(problem, name)).join(', ') },
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
  invalid: ({ problems, message, reason }, name) => ({
    status: 400,
    body: { message: reason === 'unsaved' ? notGiven(message) : problems.length ? byField(problems, name) : message },
  }),
  conflict: ({ message, reason }) =>
    reason === 'modified'
      ? { status: 412, body: { message: '412 Precondition Failed' } }
      : { status: 409, body: { message } },
  unprocessable: ({ message }) => ({ status: 422, body: { message: [message] } }),
  limited: (error) => ({ status: 429, body: { message: { error: error.message } }, ...retry(error) }),
  unavailable: (error) => ({
    status: error.reason === 'full' ? 507 : 503,
    body: { message: error.message },
    ...retry(error),
  }),
}

/** How a refusal leaves; undefined for anything that is a defect. */
export const refusal = (error: unknown, name: Name): Reply | undefined =>
  isPlatformError(error) ? replies[error.code](error, name) : undefined

/** Refusals that come before any operation is known. */
export const unknownRoute: Reply = { status: 404, body: { error: '404 Not Found' } }
export const badRequest = (text: string): Reply => ({ status: 400, body: { error: text } })
export const tooLarge: Reply = {
  status: 413,
  body: { error: 'The request body is too large' },
  headers: { Connection: 'close' },
}
export const crashed: Reply = { status: 500, body: { message: '500 Internal Server Error' } }
