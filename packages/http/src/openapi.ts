import { openedBy } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { type Field, inputReader } from './input.ts'
import { protocolAt } from './protocols.ts'
import type { Route } from './route.ts'
import { routeTitles } from './route-titles.ts'
import { type Site, snake } from './wire.ts'

type Json = Readonly<Record<string, unknown>>

/** Checks that JSON Schema cannot say are left to the server; what it can say is said. */
const config: ConversionConfig = { typeMode: 'input', errorMode: 'ignore' }

const snaked = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(snaked)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$schema')
      .map(([key, value]) => {
        if (key === 'properties') {
          return [
            key,
            Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [snake(name), snaked(inner)])),
          ]
        }
        return [
          key,
          key === 'required' && Array.isArray(value) ? value.map((name) => snake(String(name))) : snaked(value),
        ]
      }),
  )
}

const schemaOf = (schema: GenericSchema): Json => snaked(toJsonSchema(schema, config)) as Json

const isOptional = ({ schema }: Field) => ['optional', 'nullish', 'exact_optional'].includes(schema.type)

const isList = (schema: Json) => schema.type === 'array'

const parameter = (field: Field, route: Route): Json => {
  const schema = schemaOf(field.schema)
  return {
    name: !field.inPath && isList(schema) ? `${field.wire}[]` : field.wire,
    in: field.inPath ? 'path' : 'query',
    required: field.inPath || route.require.includes(field.wire) || !isOptional(field),
    schema,
  }
}

const shapeSchema = (shape: { readonly fields: Readonly<Record<string, unknown>> }): Json => {
  const properties = Object.fromEntries(Object.entries(shape.fields).map(([key, field]) => [key, fieldSchema(field)]))
  const required = Object.entries(shape.fields)
    .filter(([, field]) => !isLeftOut(field))
    .map(([key]) => key)
  return { type: 'object', properties, required }
}

const isSchema = (field: unknown): field is GenericSchema =>
  typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'schema'

/** The field may be absent, whether it is read or computed. */
const isLeftOut = (field: unknown): boolean => {
  const schema = isSchema(field) ? field : (field as { readonly schema?: GenericSchema }).schema
  return schema?.type === 'optional'
}

/** What leaves has its names already, unlike what comes in. */
const sentSchema = (schema: GenericSchema): Json => {
  const { $schema: _, ...json } = toJsonSchema(schema, config) as Json
  return json
}

const fieldSchema = (field: unknown): unknown => {
  if (isSchema(field)) return sentSchema(field)
  if (typeof field === 'function') return { anyOf: [shapeSchema(field as never), { type: 'null' }] }
  const { each, schema } = field as { readonly each?: never; readonly schema?: GenericSchema }
  return each ? { type: 'array', items: shapeSchema(each) } : sentSchema(schema as GenericSchema)
}

const pagingHeaders = Object.fromEntries(
  ['Link', 'X-Total', 'X-Total-Pages', 'X-Per-Page', 'X-Page', 'X-Next-Page', 'X-Prev-Page'].map((name) => [
    name,
    { schema: { type: 'string' } },
  ]),
)

const mediaOf = ({ path }: Route) => protocolAt(path).mediaType

const success = (route: Route): Json => {
  const { send } = route
  const first = send.shape && shapeSchema(send.shape as never)
  const other = send.otherwise?.status === send.status && shapeSchema(send.otherwise.shape as never)
  const json = other ? { anyOf: [first, other] } : first
  const schema = send.list ? { type: 'array', items: json } : json
  return {
    description: send.status === 204 ? 'Done; no content' : 'Done',
    ...(send.list === true && { headers: pagingHeaders }),
    ...(schema && { content: { [mediaOf(route)]: { schema } } }),
  }
}

const otherSuccess = (route: Route, { says, shape }: NonNullable<Route['send']['otherwise']>): Json => ({
  description: says,
  content: { [mediaOf(route)]: { schema: shapeSchema(shape as never) } },
})

const refusedBy =
  (route: Route) =>
  (description: string): Json => ({
    description,
    content: { [mediaOf(route)]: { schema: { $ref: `#/components/schemas/${protocolAt(route.path).errorSchema}` } } },
  })

const responses = (route: Route): Json => {
  const refused = refusedBy(route)
  return {
    [route.send.status]: success(route),
    ...Object.fromEntries((route.send.also ?? []).map((status) => [status, { description: 'Nothing had to change' }])),
    ...(route.send.otherwise &&
      route.send.otherwise.status !== route.send.status && {
        [route.send.otherwise.status]: otherSuccess(route, route.send.otherwise),
      }),
    400: refused('A parameter is missing or invalid'),
    401: refused('Sign in first, or the token is not valid'),
    403: refused('Not allowed, or the token opens too little'),
    404: refused('Missing, or invisible to the caller'),
    ...(route.operation.mode === 'command' && { 409: refused('It already exists') }),
  }
}

const rules = policy as unknown as Readonly<
  Record<string, Readonly<Record<string, { says: string; anonymous: boolean }>>>
>

const ruleOf = ({ operation }: Route) => rules[operation.kinds[0] as string]?.[operation.can]

/** `PUT /projects/:id/labels/:label_id/promote` → `putProjectsIdLabelsLabelIdPromote`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .replace(/^\/api\/(v4|scim\/v2)/, '')
    .split(/[^a-z0-9]+/i)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')

const tagOf = ({ path }: Route): string => {
  if (path.startsWith('/api/scim/')) return 'scim'
  const words = path.split('/').filter((word) => word && !word.startsWith(':'))
  return (words[3] ?? words[2] ?? 'platform').replaceAll('_', ' ')
}

/** A part of a multipart body, as OpenAPI 3.1 describes files (section 4.8.14.2, "Considerations for File Uploads"). */
const fileSchema: Json = { type: 'string', contentMediaType: 'application/octet-stream' }

/** The body is one input, or an object with one property for each. */
const bodySchema = (route: Route, inBody: readonly Field[], required: readonly string[]): Json => {
  const whole = inBody.find(({ wire }) => wire === route.body)
  if (whole) return schemaOf(whole.schema)
  return {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(({ wire, schema }) => [wire, route.files.includes(wire) ? fileSchema : schemaOf(schema)]),
    ),
    ...(required.length && { required }),
  }
}

/** Scopes are of personal access tokens only. */
const scopesOf = (route: Route): string =>
  protocolAt(route.path).errorSchema === 'Error' ? ` Token scopes: ${openedBy(route.operation).join(', ')}.` : ''

const operation = (route: Route, title: string): Json => {
  const { fields } = inputReader(route)
  const inBody = route.method === 'GET' || route.method === 'DELETE' ? [] : fields.filter(({ inPath }) => !inPath)
  const others = fields.filter((field) => !inBody.includes(field))
  const rule = ruleOf(route)
  const required = inBody
    .filter((field) => !isOptional(field) || route.require.includes(field.wire))
    .map(({ wire }) => wire)
  return {
    operationId: operationId(route),
    summary: title,
    description: `For ${rule?.says ?? 'anyone'}.${scopesOf(route)}`,
    tags: [tagOf(route)],
    ...(route.deprecated && { deprecated: true }),
    ...(route.extension && { 'x-extension': true }),
    security: [...protocolAt(route.path).security.map((way) => ({ [way]: [] })), ...(rule?.anonymous ? [{}] : [])],
    ...(others.length && { parameters: others.map((field) => parameter(field, route)) }),
    ...(inBody.length && {
      requestBody: {
        required: required.length > 0,
        content: {
          [route.files.length ? 'multipart/form-data' : mediaOf(route)]: {
            schema: bodySchema(route, inBody, required),
          },
        },
      },
    }),
    responses: responses(route),
  }
}

/** The whole API as an OpenAPI 3.1 document, made from the table that also serves it. */
export function openApi(routes: readonly Route[], site: Site): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const title = routeTitles(routes)
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, title(route)) }
  }
  const tags = [...new Set(routes.map(tagOf))].sort().map((name) => ({ name, description: `Everything about ${name}` }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgelet',
      version: '4',
      description: 'A software forge that speaks version 4 of the GitLab API.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: site.url }],
    tags,
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        ScimError: {
          type: 'object',
          description: 'The error of RFC 7644, section 3.12.',
          properties: {
            schemas: { type: 'array', items: { type: 'string' } },
            scimType: { type: 'string' },
            detail: { type: 'string' },
            status: { type: 'string' },
          },
          required: ['schemas', 'status'],
        },
        Error: {
          type: 'object',
          description: 'Malformed calls say `error`, everything else says `message`.',
          properties: {
            error: { type: 'string' },
            error_description: { type: 'string' },
            scope: { type: 'string' },
            message: {
              anyOf: [
                { type: 'string' },
                { type: 'array', items: { type: 'string' } },
                { type: 'object', additionalProperties: true },
              ],
            },
          },
        },
      },
    },
  }
}
