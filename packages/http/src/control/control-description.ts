import { toJsonSchema } from '@valibot/to-json-schema'
import type { ControlRoute } from './control-route.ts'

type Json = Readonly<Record<string, unknown>>

const schemaOf = (input: NonNullable<ControlRoute['input']>): Json => {
  const { $schema: _, ...schema } = toJsonSchema(input, { typeMode: 'input', errorMode: 'ignore' }) as Json
  return schema
}

const operationId = ({ method, path }: ControlRoute) =>
  method.toLowerCase() +
  path
    .split(/[^a-z]+/i)
    .filter(Boolean)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')

const inPath = ({ path }: ControlRoute): Json[] =>
  [...path.matchAll(/:([a-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'id' ? 'integer' : 'string' },
  }))

const inQuery = ({ method, input }: ControlRoute): Json[] => {
  if (method !== 'GET' || !input) return []
  const { properties = {} } = schemaOf(input) as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
}

const body = ({ method, input }: ControlRoute): Json | undefined => {
  if (method !== 'POST' && method !== 'PUT') return undefined
  const schema = input ? schemaOf(input) : { type: 'object', additionalProperties: true }
  const empty = Object.keys((schema.properties as object | undefined) ?? { any: true }).length === 0
  return empty ? undefined : { required: true, content: { 'application/json': { schema } } }
}

const refusal = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

const success = ({ method, gives }: ControlRoute): Json => {
  if (method === 'DELETE') return { 204: { description: 'Done; no content' } }
  const type = gives.startsWith('text/') ? gives : 'application/json'
  const schema = type === 'application/json' ? {} : { type: 'string' }
  return { 200: { description: gives, content: { [type]: { schema } } } }
}

/** The control plane as an OpenAPI 3.1 document of its own, made from the table that also serves it. */
export function controlDescription(routes: readonly ControlRoute[], server: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path === '/' ? '/_forgelet' : `/_forgelet${route.path.replace(/:([a-z]+)/g, '{$1}')}`
    const parameters = [...inPath(route), ...inQuery(route)]
    const content = body(route)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: {
        operationId: `control${operationId(route)}`,
        summary: route.says,
        tags: [route.path.split('/')[1]?.split('.')[0] || 'overview'],
        ...(parameters.length && { parameters }),
        ...(content && { requestBody: content }),
        responses: {
          ...success(route),
          400: refusal('What was sent cannot be read'),
          401: refusal('The token is missing or wrong'),
          403: refusal('Not from this machine'),
          404: refusal('There is no such thing'),
          409: refusal('The world cannot do that'),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgelet control plane',
      version: '1',
      description:
        'How a test suite holds a forge in its hands: its data, its clock, its troubles and its memory of requests.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    security: [{ token: [] }, {}],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          properties: { message: {}, error: { type: 'string' } },
        },
      },
    },
  }
}
