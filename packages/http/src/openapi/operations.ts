import { defined, getSufficientScopes } from '@forgelet/core/operations'
import { getProtocol } from '../protocols/select-protocol.ts'
import { createInputReader, type InputField } from '../request/input-reader.ts'
import { isConditionalRemoval } from '../routing/conditional-removals.ts'
import { getOperationName } from '../routing/operation-names.ts'
import type { Route } from '../routing/route.ts'
import { toSnakeCase } from '../wire-names.ts'
import type { Components } from './components.ts'
import { describeProperties, getInputText, getOperationText } from './descriptions.ts'
import { describeErrors } from './error-responses.ts'
import { findBodyExample, findExample, isShownInSamples } from './examples.ts'
import { createInputSchema, createOutputSchema, isOptional, type Json } from './json-schema.ts'
import { describePermittedUsers, listKinds, permitsAnonymous } from './permissions.ts'
import { binarySchema, describeSuccess } from './success-responses.ts'

/** `PUT /projects/:id/labels/:label_id/promote` → `putProjectsIdLabelsLabelIdPromote`. */
const createOperationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path
    .replace(/^\/api\/(v4|scim\/v2)/, '')
    .split(/[^a-z0-9]+/i)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')

/** The feature of the operation in words: `merge request approvals`. */
export const getTag = ({ path, operation }: Route): string => {
  if (path.startsWith('/api/scim/')) return 'scim'
  const [feature = 'platform'] = getOperationName(operation)?.split('.') ?? []
  return feature.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

type DescribedField = Pick<InputField, 'wire' | 'inPath' | 'schema'> & { readonly json: Json }

const describeInput = (route: Route, { input, parent, schema }: InputField): Json => {
  const operation = String(getOperationName(route.operation))
  const name = (parent === undefined ? '' : `${toSnakeCase(parent)}.`) + toSnakeCase(input)
  const description = getInputText(operation, name)
  const json = describeProperties(createInputSchema(schema), (path) => getInputText(operation, `${name}.${path}`))
  return { ...(description !== undefined && { description }), ...json }
}

/** The schema of an object with the fields that only this route has: `override_params[topics]`. */
const addNestedFields = ({ wireParameters }: Route, wire: string, json: Json): Json => {
  const prefix = `${wire}[`
  const nested = Object.entries(wireParameters)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, schema]) => [name.slice(prefix.length, -1), createOutputSchema(schema)] as const)
  return nested.length ? { ...json, properties: { ...(json.properties as Json), ...Object.fromEntries(nested) } } : json
}

/** The inputs of the operation, then the parameters that only this route has. */
const listFields = (route: Route): readonly DescribedField[] => [
  ...createInputReader(route).fields.map((field) => ({
    ...field,
    json: addNestedFields(route, field.wire, describeInput(route, field)),
  })),
  ...Object.entries(route.wireParameters)
    .filter(([wire]) => !wire.endsWith(']'))
    .map(([wire, schema]) => ({ wire, inPath: false, schema, json: createOutputSchema(schema) })),
]

/** Whether a field is sent in the body. A route with one input as its body has its other parameters in the query. */
const isInBody = (route: Route, { wire, inPath }: DescribedField): boolean => {
  if (inPath || route.method === 'GET' || route.method === 'DELETE') return false
  return route.stream === undefined && (route.body === undefined || route.body === wire)
}

const isRequired = (route: Route, { wire, inPath, schema }: DescribedField) =>
  inPath || route.required.includes(wire) || !isOptional(schema)

const styles: Readonly<Record<string, Json>> = {
  /** `name[key]=value` */
  object: { style: 'deepObject', explode: true },
  /** `name[]=a&name[]=b` */
  array: { style: 'form', explode: true },
}

const describeParameter = (field: DescribedField, route: Route): Json => {
  const { description, ...schema } = field.json
  const example = findExample(route, field.wire, schema)
  const isShown = field.inPath || isRequired(route, field) || isShownInSamples(route, field.wire)
  return {
    name: !field.inPath && schema.type === 'array' ? `${field.wire}[]` : field.wire,
    in: field.inPath ? 'path' : 'query',
    required: isRequired(route, field),
    ...(description !== undefined && { description }),
    ...styles[schema.type as string],
    schema,
    ...(isShown && example !== undefined && { example }),
  }
}

/** RFC 9110, section 13.1.4. */
const unmodifiedSince: Json = {
  name: 'If-Unmodified-Since',
  in: 'header',
  description: 'Deletes the object only if it was not modified after this time, an HTTP date.',
  schema: { type: 'string' },
  example: 'Sat, 21 Nov 2026 07:00:00 GMT',
}

/** The schema of one input that is the whole body, or an object with a property for each input. */
const createBodySchema = (route: Route, inBody: readonly DescribedField[]): Json => {
  if (route.bodySchema) return createOutputSchema(route.bodySchema)
  const required = inBody.filter((field) => isRequired(route, field)).map(({ wire }) => wire)
  return {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(({ wire, json }) => [
        wire,
        route.files.includes(wire) ? { description: json.description, ...binarySchema } : json,
      ]),
    ),
    ...(required.length && { required }),
  }
}

/** The fields that samples contain: the required ones and those with an example of their own, or any one. */
const chooseShown = (route: Route, fields: readonly DescribedField[]): readonly DescribedField[] => {
  const chosen = fields.filter((field) => isRequired(route, field) || isShownInSamples(route, field.wire))
  if (chosen.length) return chosen
  return fields.filter(({ wire, json }) => findExample(route, wire, json) !== undefined).slice(0, 1)
}

const createExample = (route: Route, shown: readonly DescribedField[]): Json =>
  Object.fromEntries(shown.map(({ wire, json }) => [wire, findExample(route, wire, json)]))

const createBodyExample = (route: Route, inBody: readonly DescribedField[]): unknown =>
  route.body === undefined ? createExample(route, chooseShown(route, inBody)) : findBodyExample(route)

/** The example of a request: the parameters of its body, or of its query. */
export const createExampleParameters = (route: Route): Json => {
  if (route.body !== undefined) return findBodyExample(route)
  const fields = listFields(route).filter(({ inPath }) => !inPath)
  const inBody = fields.filter((field) => isInBody(route, field))
  const inQuery = fields.filter((field) => isRequired(route, field) || isShownInSamples(route, field.wire))
  return createExample(route, inBody.length ? chooseShown(route, inBody) : inQuery)
}

const needsFile = (route: Route, inBody: readonly DescribedField[]) =>
  inBody.some((field) => route.files.includes(field.wire) && isRequired(route, field))

const getBodyTypes = (route: Route, inBody: readonly DescribedField[]): readonly string[] => {
  const { mediaType, jsonOnly } = getProtocol(route.path)
  const types = jsonOnly ? [mediaType] : [mediaType, 'application/x-www-form-urlencoded']
  if (!route.files.length) return types
  return needsFile(route, inBody) ? ['multipart/form-data'] : [...types, 'multipart/form-data']
}

const describeBody = (route: Route, inBody: readonly DescribedField[], { add }: Components): Json => {
  const name = createOperationId(route).replace(/^./, (letter) => letter.toUpperCase())
  const schema = add(`${name}Body`, createBodySchema(route, inBody))
  const example = createBodyExample(route, inBody)
  return {
    required: inBody.some((field) => isRequired(route, field)),
    content: Object.fromEntries(
      getBodyTypes(route, inBody).map((type) => [type, { schema, ...(!needsFile(route, inBody) && { example }) }]),
    ),
  }
}

const describeStream = (route: Route): Json => ({
  description: getInputText(String(getOperationName(route.operation)), defined(route.stream)),
  required: true,
  content: { 'application/octet-stream': { schema: binarySchema, example: 'The content of the file' } },
})

/** Only personal access tokens have scopes. */
const describeScopes = (route: Route): string =>
  getProtocol(route.path).errorSchema === 'Error'
    ? ` Token scopes: ${getSufficientScopes(route.operation, listKinds(route)).join(', ')}.`
    : ''

const describeText = (route: Route): string => {
  const text = getOperationText(String(getOperationName(route.operation)))
  return `${text === undefined ? '' : `${text}\n\n`}Allowed to: ${describePermittedUsers(route)}.${describeScopes(route)}`
}

export const describeOperation = (
  route: Route,
  title: string,
  components: Components,
  createdStatus: number | undefined,
): Json => {
  const fields = listFields(route)
  const { unsupported } = createInputReader(route)
  const inBody = fields.filter((field) => isInBody(route, field))
  const parameters = [
    ...fields.filter((field) => !inBody.includes(field)).map((field) => describeParameter(field, route)),
    ...(isConditionalRemoval(route) ? [unmodifiedSince] : []),
  ]
  return {
    operationId: createOperationId(route),
    summary: title,
    description: describeText(route),
    tags: [getTag(route)],
    ...(route.deprecated && { deprecated: true }),
    ...(route.extension && { 'x-extension': true }),
    ...(unsupported.length && { 'x-unsupported-parameters': unsupported.map(({ name }) => name) }),
    security: [
      ...getProtocol(route.path).security.map((scheme) => ({ [scheme]: [] })),
      ...(permitsAnonymous(route) ? [{}] : []),
    ],
    ...(parameters.length && { parameters }),
    ...(route.stream !== undefined && { requestBody: describeStream(route) }),
    ...(inBody.length && { requestBody: describeBody(route, inBody, components) }),
    responses: { ...describeSuccess(route, components, createdStatus), ...describeErrors(route) },
  }
}
