import type { FakeForge } from '@forgelet/fixtures'
import { expect } from 'vitest'

export interface Options {
  readonly as?: string
  readonly token?: string | undefined
  readonly variables?: object
  readonly operationName?: string
}

/** A mutation with a variable `input`. */
export const formatMutation = (name: string, selection: string) =>
  `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`

/** Sends GraphQL requests to a forge. */
export const createClient = (getForge: () => FakeForge) => {
  const post = (body: unknown, token?: string, headers: Record<string, string> = {}) =>
    getForge().fetch('/api/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  /** The status and the JSON of the response. */
  const send = async (
    query: string,
    { as, token = as && getForge().tokens[as], ...options }: Options = {},
    // biome-ignore lint/suspicious/noExplicitAny: the shape follows from the query
  ): Promise<any> => {
    const response = await post({ query, ...options }, token)
    return { status: response.status, ...((await response.json()) as object) }
  }

  /** The data of a response without errors. */
  const data = async (query: string, options: Options = {}) => {
    const { status, data, errors } = await send(query, options)
    expect({ status, errors }).toEqual({ status: 200, errors: undefined })
    return data
  }

  /** The JSON of the REST API. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape follows from the path
  const rest = async (path: string, as: string): Promise<any> => {
    const headers = { Authorization: `Bearer ${getForge().tokens[as]}` }
    const response = await getForge().fetch(`/api/v4${path}`, { headers })
    expect(response.status, path).toBe(200)
    return response.json()
  }

  /** Runs a mutation with an input, and returns its result. */
  const run = async (name: string, input: object, selection: string, options: Options = { as: 'alice' }) =>
    (await data(formatMutation(name, `errors ${selection}`), { ...options, variables: { input } }))[name]

  return { post, send, data, rest, run }
}

/** Values that programs mistake for something else. */
export const hostileValues = [
  '\0',
  'x'.repeat(9_000),
  '__proto__',
  "'; drop table user; --",
  '\ud800',
  '../..',
  '-1',
  '1e999',
  '%',
]
