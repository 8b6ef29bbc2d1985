import { defined } from '@forgelet/core/operations'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describeProperties, getControlText } from '../openapi/descriptions.ts'
import type { ControlRoute } from './control-route.ts'

type Json = Readonly<Record<string, unknown>>

const createInputSchema = ({ method, path }: ControlRoute, input: NonNullable<ControlRoute['input']>): Json => {
  const { $schema: _, ...schema } = toJsonSchema(input, { typeMode: 'input', errorMode: 'ignore' }) as Json
  return describeProperties(schema, (property) => getControlText(`${method} ${path}`, property))
}

const pathParameters: Readonly<Record<string, string>> = {
  id: 'Id of the fault, or number of the request.',
  name: 'Name of the snapshot.',
}

const createOperationId = ({ method, path }: ControlRoute) =>
  method.toLowerCase() +
  path
    .split(/[^a-z]+/i)
    .filter(Boolean)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')

const describePathParameters = ({ path }: ControlRoute): Json[] =>
  [...path.matchAll(/:([a-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameters[defined(name)],
    schema: { type: name === 'id' ? 'integer' : 'string' },
  }))

const describeQueryParameters = (route: ControlRoute): Json[] => {
  if (route.method !== 'GET' || !route.input) return []
  const { properties = {} } = createInputSchema(route, route.input) as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
}

const describeBody = (route: ControlRoute): Json | undefined => {
  const { method, input } = route
  if (method !== 'POST' && method !== 'PUT') return undefined
  const schema = input ? createInputSchema(route, input) : { type: 'object', additionalProperties: true }
  const empty = Object.keys((schema.properties as object | undefined) ?? { any: true }).length === 0
  return empty ? undefined : { required: true, content: { 'application/json': { schema } } }
}

const describeError = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const describeSuccess = ({ method, result }: ControlRoute): Json => {
  if (method === 'DELETE') return { 204: { description: 'Success, without content' } }
  const type = result.startsWith('text/') ? result : 'application/json'
  const schema = type === 'application/json' ? {} : { type: 'string' }
  return { 200: { description: result, content: { [type]: { schema } } } }
}

/** Creates the OpenAPI 3.1 document of the control plane from its table of routes. */
export function describeControlPlane(routes: readonly ControlRoute[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path === '/' ? '/_forgelet' : `/_forgelet${route.path.replace(/:([a-z]+)/g, '{$1}')}`
    const parameters = [...describePathParameters(route), ...describeQueryParameters(route)]
    const content = describeBody(route)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: {
        operationId: `control${createOperationId(route)}`,
        summary: route.description,
        description: `Returns: ${route.result}.`,
        tags: [route.path.split('/')[1]?.split('.')[0] || 'overview'],
        ...(parameters.length && { parameters }),
        ...(content && { requestBody: content }),
        responses: {
          ...describeSuccess(route),
          400: describeError('The request is malformed'),
          401: describeError('The token is missing or wrong'),
          403: describeError('Not from this machine'),
          404: describeError('Not found'),
          409: describeError('The world does not support this'),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgelet control plane',
      version: '1',
      description: 'Controls a forge from a test suite: its data, its clock, its faults and its request journal.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ token: [] }, {}],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          properties: { message: {}, error: { type: 'string' } },
        },
      },
    },
  }
}
