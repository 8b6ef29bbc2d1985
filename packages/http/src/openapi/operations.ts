import { getSufficientScopes } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import { getProtocol } from '../protocols/select-protocol.ts'
import { createInputReader, type InputField } from '../request/input-reader.ts'
import type { Route } from '../routing/route.ts'
import type { Components } from './components.ts'
import { describeErrors } from './error-responses.ts'
import { findBodyExample, findExample } from './examples.ts'
import { createInputSchema, isOptional, type Json } from './json-schema.ts'
import { binarySchema, describeSuccess } from './success-responses.ts'

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

export const getTag = ({ path }: Route): string => {
  if (path.startsWith('/api/scim/')) return 'scim'
  const words = path.split('/').filter((word) => word && !word.startsWith(':'))
  return (words[3] ?? words[2] ?? 'platform').replaceAll('_', ' ')
}

const isRequired = (route: Route, { wire, inPath, schema }: InputField) =>
  inPath || route.required.includes(wire) || !isOptional(schema)

const styles: Readonly<Record<string, Json>> = {
  /** `name[key]=value` */
  object: { style: 'deepObject', explode: true },
  /** `name[]=a&name[]=b` */
  array: { style: 'form', explode: true },
}

const describeParameter = (field: InputField, route: Route): Json => {
  const { description, ...schema } = createInputSchema(field.schema)
  const example = findExample(route, field.wire)
  return {
    name: !field.inPath && schema.type === 'array' ? `${field.wire}[]` : field.wire,
    in: field.inPath ? 'path' : 'query',
    required: isRequired(route, field),
    ...(description !== undefined && { description }),
    ...styles[schema.type as string],
    schema,
    ...(example !== undefined && (field.inPath || isRequired(route, field)) && { example }),
  }
}

/** RFC 9110, section 13.1.4. */
const unmodifiedSince: Json = {
  name: 'If-Unmodified-Since',
  in: 'header',
  description: 'Deletes the object only if it was not modified after this time, an HTTP date',
  schema: { type: 'string' },
  example: 'Sat, 21 Nov 2026 07:00:00 GMT',
}

/** The schema of one input that is the whole body, or an object with a property for each input. */
const createBodySchema = (route: Route, inBody: readonly InputField[]): Json => {
  const bodyInput = inBody.find(({ wire }) => wire === route.body)
  if (bodyInput) return createInputSchema(bodyInput.schema)
  const required = inBody.filter((field) => isRequired(route, field)).map(({ wire }) => wire)
  return {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(({ wire, schema }) => [wire, route.files.includes(wire) ? binarySchema : createInputSchema(schema)]),
    ),
    ...(required.length && { required }),
  }
}

const createBodyExample = (route: Route, inBody: readonly InputField[]): unknown => {
  if (route.body !== undefined) return findBodyExample(route)
  const shown = inBody.some((field) => isRequired(route, field))
    ? inBody.filter((field) => isRequired(route, field))
    : inBody.filter(({ wire }) => findExample(route, wire) !== undefined).slice(0, 1)
  return Object.fromEntries(shown.map(({ wire }) => [wire, findExample(route, wire)]))
}

const getBodyTypes = (route: Route): readonly string[] => {
  if (route.files.length) return ['multipart/form-data']
  const { mediaType, jsonOnly } = getProtocol(route.path)
  return jsonOnly ? [mediaType] : [mediaType, 'application/x-www-form-urlencoded']
}

const describeBody = (route: Route, inBody: readonly InputField[], { add }: Components): Json => {
  const name = createOperationId(route).replace(/^./, (letter) => letter.toUpperCase())
  const schema = add(`${name}Body`, createBodySchema(route, inBody))
  const example = createBodyExample(route, inBody)
  return {
    required: inBody.some((field) => isRequired(route, field)),
    content: Object.fromEntries(
      getBodyTypes(route).map((type) => [type, { schema, ...(!route.files.length && { example }) }]),
    ),
  }
}

/** Only personal access tokens have scopes. */
const describeScopes = (route: Route): string =>
  getProtocol(route.path).errorSchema === 'Error'
    ? ` Token scopes: ${getSufficientScopes(route.operation).join(', ')}.`
    : ''

export const describeOperation = (
  route: Route,
  title: string,
  components: Components,
  createdStatus: number | undefined,
): Json => {
  const { fields } = createInputReader(route)
  const inBody = route.method === 'GET' || route.method === 'DELETE' ? [] : fields.filter(({ inPath }) => !inPath)
  const rule = findRule(route)
  const parameters = [
    ...fields.filter((field) => !inBody.includes(field)).map((field) => describeParameter(field, route)),
    ...(route.errors.includes(412) ? [unmodifiedSince] : []),
  ]
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
    ...(parameters.length && { parameters }),
    ...(inBody.length && { requestBody: describeBody(route, inBody, components) }),
    responses: { ...describeSuccess(route, components, createdStatus), ...describeErrors(route) },
  }
}
