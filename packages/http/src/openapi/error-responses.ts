import { STATUS_CODES } from 'node:http'
import type { Protocol } from '../protocols/protocol.ts'
import { getProtocol } from '../protocols/select-protocol.ts'
import { isConditionalRemoval } from '../routing/conditional-removals.ts'
import type { Route } from '../routing/route.ts'
import type { Json } from './json-schema.ts'

/** Statuses of errors, with the names and descriptions of their responses. */
const errors = {
  400: ['BadRequest', 'A parameter is missing or invalid'],
  401: ['Unauthorized', 'Authentication is required, or the credential is invalid, expired or revoked'],
  403: ['Forbidden', 'Not allowed, or the token lacks a scope'],
  404: ['NotFound', 'Not found, or not visible to the caller'],
  405: ['MethodNotAllowed', 'The state of the object does not permit the request'],
  409: ['Conflict', 'The object already exists, or its state does not permit the change'],
  412: ['PreconditionFailed', 'The object was modified after the time in `If-Unmodified-Since`'],
  413: ['ContentTooLarge', 'The body is too large'],
  414: ['UriTooLong', 'The URL is longer than 8 KiB'],
  415: ['UnsupportedMediaType', 'The content type of the body is not supported'],
  416: ['RangeNotSatisfiable', 'The file ends before the range that `Range` requests'],
  421: ['MisdirectedRequest', 'The `Host` header is not a name of this server'],
  422: ['UnprocessableContent', 'Well-formed and allowed, but the request cannot be carried out'],
  429: ['TooManyRequests', 'Over the rate limit; `Retry-After` contains the seconds to wait'],
  500: ['InternalServerError', 'An unexpected error; the log has the reason under the `X-Request-Id` of the response'],
  503: ['ServiceUnavailable', 'The database or an external service is busy; nothing was changed, try again later'],
  507: ['InsufficientStorage', 'The database is full or read-only; nothing was changed'],
} as const

type ErrorStatus = keyof typeof errors

const retryHeader = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } } }

/** Requests with these methods can have a body. */
const hasBody = ({ method }: Route): boolean => method !== 'GET'

const listErrorStatuses = (route: Route): readonly ErrorStatus[] => [
  400,
  401,
  403,
  404,
  ...(route.errors.includes(405) ? ([405] as const) : []),
  ...(route.operation.mode === 'command' || route.errors.includes(409) ? ([409] as const) : []),
  ...(isConditionalRemoval(route) ? ([412] as const) : []),
  ...(hasBody(route) ? ([413] as const) : []),
  414,
  ...(hasBody(route) ? ([415] as const) : []),
  ...(route.respond.hasRanges ? ([416] as const) : []),
  ...(route.errors.includes(422) ? ([422] as const) : []),
  ...(route.operation.limit ? ([429] as const) : []),
  500,
  503,
  ...(route.operation.mode === 'command' ? ([507] as const) : []),
]

const getName = (route: Pick<Route, 'path'>, status: ErrorStatus) =>
  `${getProtocol(route.path).errorSchema === 'ScimError' ? 'Scim' : ''}${errors[status][0]}`

/** References to the responses of `createErrorResponses`, by status. */
export const describeErrors = (route: Route): Json =>
  Object.fromEntries(
    listErrorStatuses(route).map((status) => [status, { $ref: `#/components/responses/${getName(route, status)}` }]),
  )

const createErrorExample = (status: ErrorStatus, schema: Protocol['errorSchema']): Json => {
  const [, description] = errors[status]
  if (schema === 'ScimError') {
    return { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail: description, status: String(status) }
  }
  return status === 400 ? { error: 'name is missing' } : { message: `${status} ${STATUS_CODES[status]}` }
}

/** The response for an error status. */
export const createErrorResponse = (status: ErrorStatus, mediaType: string, schema: Protocol['errorSchema']): Json => ({
  description: errors[status][1],
  ...((status === 429 || status === 503) && { headers: retryHeader }),
  content: {
    [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` }, example: createErrorExample(status, schema) },
  },
})

/** The error responses of these routes, by name. */
export const createErrorResponses = (routes: readonly Route[]): Json =>
  Object.fromEntries(
    routes.flatMap((route) => {
      const { mediaType, errorSchema } = getProtocol(route.path)
      return listErrorStatuses(route).map((status) => [
        getName(route, status),
        createErrorResponse(status, mediaType, errorSchema),
      ])
    }),
  )

const text = (description: string): Json => ({ type: 'string', description })

const problems: Json = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }

/** The bodies of errors. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  ScimError: {
    type: 'object',
    description: 'The error of RFC 7644, section 3.12.',
    properties: {
      schemas: { type: 'array', items: { type: 'string' }, description: 'URN of the SCIM error.' },
      scimType: text('Kind of the error: `uniqueness`, `invalidFilter` and others of RFC 7644.'),
      detail: text('Reason for people.'),
      status: text('Status of the response.'),
    },
    required: ['schemas', 'status'],
  },
  Error: {
    type: 'object',
    description: 'Malformed requests have `error`, all other errors have `message`.',
    properties: {
      error: text('Problem of a malformed request, or code of a token problem: `insufficient_scope`.'),
      error_description: text('Reason for the code in `error`.'),
      error_code: text('Why a cherry-pick or revert failed: `conflict` or `empty`.'),
      scope: text('Scopes that permit the operation, separated by spaces.'),
      message: {
        description: 'Status and reason, or the problems of each parameter.',
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { type: 'string' } },
          {
            type: 'object',
            description: 'The problems of each parameter, or the text of a rate limit.',
            additionalProperties: problems,
          },
        ],
      },
    },
  },
}
