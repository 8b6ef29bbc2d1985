import { getSufficientScopes } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { getProtocol } from './protocols/select-protocol.ts'
import type { Site } from './reply/wire.ts'
import { createInputReader, type InputField } from './request/input-reader.ts'
import type { Route } from './routing/route.ts'
import { createRouteTitles } from './routing/route-titles.ts'
import { toSnakeCase } from './wire-names.ts'

type Json = Readonly<Record<string, unknown>>

/** Checks that JSON Schema cannot express are omitted. */
const conversionConfig: ConversionConfig = { typeMode: 'input', errorMode: 'ignore' }

const toSnakeCaseKeys = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toSnakeCaseKeys)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$schema')
      .map(([key, value]) => {
        if (key === 'properties') {
          return [
            key,
            Object.fromEntries(
              Object.entries(value as Json).map(([name, inner]) => [toSnakeCase(name), toSnakeCaseKeys(inner)]),
            ),
          ]
        }
        return [
          key,
          key === 'required' && Array.isArray(value)
            ? value.map((name) => toSnakeCase(String(name)))
            : toSnakeCaseKeys(value),
        ]
      }),
  )
}

const createInputSchema = (schema: GenericSchema): Json =>
  toSnakeCaseKeys(toJsonSchema(schema, conversionConfig)) as Json

const isOptional = ({ schema }: InputField) => ['optional', 'nullish', 'exact_optional'].includes(schema.type)

const isList = (schema: Json) => schema.type === 'array'

const describeParameter = (field: InputField, route: Route): Json => {
  const schema = createInputSchema(field.schema)
  return {
    name: !field.inPath && isList(schema) ? `${field.wire}[]` : field.wire,
    in: field.inPath ? 'path' : 'query',
    required: field.inPath || route.required.includes(field.wire) || !isOptional(field),
    schema,
  }
}

const createShapeSchema = (shape: { readonly fields: Readonly<Record<string, unknown>> }): Json => {
  const properties = Object.fromEntries(
    Object.entries(shape.fields).map(([key, field]) => [key, createFieldSchema(field)]),
  )
  const required = Object.entries(shape.fields)
    .filter(([, field]) => !isOptionalField(field))
    .map(([key]) => key)
  return { type: 'object', properties, required }
}

const isSchema = (field: unknown): field is GenericSchema =>
  typeof field === 'object' && field !== null && 'kind' in field && field.kind === 'schema'

const isOptionalField = (field: unknown): boolean => {
  const schema = isSchema(field) ? field : (field as { readonly schema?: GenericSchema }).schema
  return schema?.type === 'optional'
}

/** Output schemas already have wire names, unlike input schemas. */
const createOutputSchema = (schema: GenericSchema): Json => {
  const { $schema: _, ...json } = toJsonSchema(schema, conversionConfig) as Json
  return json
}

const createFieldSchema = (field: unknown): unknown => {
  if (isSchema(field)) return createOutputSchema(field)
  if (typeof field === 'function') return { anyOf: [createShapeSchema(field as never), { type: 'null' }] }
  const { each, schema } = field as { readonly each?: never; readonly schema?: GenericSchema }
  return each ? { type: 'array', items: createShapeSchema(each) } : createOutputSchema(schema as GenericSchema)
}

const pagingHeaders = Object.fromEntries(
  ['Link', 'X-Total', 'X-Total-Pages', 'X-Per-Page', 'X-Page', 'X-Next-Page', 'X-Prev-Page'].map((name) => [
    name,
    { schema: { type: 'string' } },
  ]),
)

const getMediaType = ({ path }: Route) => getProtocol(path).mediaType

const describeSuccess = (route: Route): Json => {
  const { status, shape, alternative, list } = route.respond
  const shapeSchema = shape && createShapeSchema(shape as never)
  const otherSchema = alternative?.status === status && createShapeSchema(alternative.shape as never)
  const item = otherSchema ? { anyOf: [shapeSchema, otherSchema] } : shapeSchema
  const schema = list ? { type: 'array', items: item } : item
  return {
    description: status === 204 ? 'Success, without content' : 'Success',
    ...(list === true && { headers: pagingHeaders }),
    ...(schema && { content: { [getMediaType(route)]: { schema } } }),
  }
}

const describeAlternative = (
  route: Route,
  { description, shape }: NonNullable<Route['respond']['alternative']>,
): Json => ({
  description,
  content: { [getMediaType(route)]: { schema: createShapeSchema(shape as never) } },
})

const createErrorDescriber =
  (route: Route) =>
  (description: string): Json => ({
    description,
    content: {
      [getMediaType(route)]: { schema: { $ref: `#/components/schemas/${getProtocol(route.path).errorSchema}` } },
    },
  })

const describeResponses = (route: Route): Json => {
  const describeError = createErrorDescriber(route)
  const { status, otherStatuses = [], alternative } = route.respond
  return {
    [status]: describeSuccess(route),
    ...Object.fromEntries(otherStatuses.map((other) => [other, { description: 'Not changed' }])),
    ...(alternative &&
      alternative.status !== status && { [alternative.status]: describeAlternative(route, alternative) }),
    400: describeError('A parameter is missing or invalid'),
    401: describeError('Authentication is required, or the token is invalid'),
    403: describeError('Not allowed, or the token lacks a scope'),
    404: describeError('Not found, or not visible to the caller'),
    ...(route.operation.mode === 'command' && { 409: describeError('The object already exists') }),
  }
}

const rules = policy as unknown as Readonly<
  Record<string, Readonly<Record<string, { description: string; anonymous: boolean }>>>
>

const findRule = ({ operation }: Route) => rules[operation.kinds[0] as string]?.[operation.can]

/** `PUT /projects/:id/labels/:label_id/promote` → `putProjectsIdLabelsLabelIdPromote`. */
const createOperationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .replace(/^\/api\/(v4|scim\/v2)/, '')
    .split(/[^a-z0-9]+/i)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')

const getTag = ({ path }: Route): string => {
  if (path.startsWith('/api/scim/')) return 'scim'
  const words = path.split('/').filter((word) => word && !word.startsWith(':'))
  return (words[3] ?? words[2] ?? 'platform').replaceAll('_', ' ')
}

/** A file in a multipart body: OpenAPI 3.1, section 4.8.14.2, "Considerations for File Uploads". */
const fileSchema: Json = { type: 'string', contentMediaType: 'application/octet-stream' }

/** The schema of one input that is the whole body, or an object with a property for each input. */
const createBodySchema = (route: Route, inBody: readonly InputField[], required: readonly string[]): Json => {
  const bodyInput = inBody.find(({ wire }) => wire === route.body)
  if (bodyInput) return createInputSchema(bodyInput.schema)
  return {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(({ wire, schema }) => [wire, route.files.includes(wire) ? fileSchema : createInputSchema(schema)]),
    ),
    ...(required.length && { required }),
  }
}

/** Only personal access tokens have scopes. */
const describeScopes = (route: Route): string =>
  getProtocol(route.path).errorSchema === 'Error'
    ? ` Token scopes: ${getSufficientScopes(route.operation).join(', ')}.`
    : ''

const describeOperation = (route: Route, title: string): Json => {
  const { fields } = createInputReader(route)
  const inBody = route.method === 'GET' || route.method === 'DELETE' ? [] : fields.filter(({ inPath }) => !inPath)
  const others = fields.filter((field) => !inBody.includes(field))
  const rule = findRule(route)
  const required = inBody
    .filter((field) => !isOptional(field) || route.required.includes(field.wire))
    .map(({ wire }) => wire)
  return {
    operationId: createOperationId(route),
    summary: title,
    description: `For ${rule?.description ?? 'anyone'}.${describeScopes(route)}`,
    tags: [getTag(route)],
    ...(route.deprecated && { deprecated: true }),
    ...(route.extension && { 'x-extension': true }),
    security: [
      ...getProtocol(route.path).security.map((scheme) => ({ [scheme]: [] })),
      ...(rule?.anonymous ? [{}] : []),
    ],
    ...(others.length && { parameters: others.map((field) => describeParameter(field, route)) }),
    ...(inBody.length && {
      requestBody: {
        required: required.length > 0,
        content: {
          [route.files.length ? 'multipart/form-data' : getMediaType(route)]: {
            schema: createBodySchema(route, inBody, required),
          },
        },
      },
    }),
    responses: describeResponses(route),
  }
}

/** Creates the OpenAPI 3.1 document of the API from the table of routes. */
export function createOpenApiDocument(routes: readonly Route[], site: Site): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const getTitle = createRouteTitles(routes)
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, getTitle(route)) }
  }
  const tags = [...new Set(routes.map(getTag))].sort().map((name) => ({ name, description: `Operations on ${name}` }))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Forgelet',
      version: '4',
      description: 'A software forge that implements version 4 of the GitLab API.',
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
          description: 'Malformed requests have `error`, all other errors have `message`.',
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
