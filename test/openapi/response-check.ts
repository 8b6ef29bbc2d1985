import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'

type Json = Readonly<Record<string, unknown>>

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DescribedResponse>> }>>>
  >
  readonly components: { readonly responses: Readonly<Record<string, DescribedResponse>> }
}

/** Forbids properties that a schema does not name. The document permits them, so that clients accept new ones. */
const closeObjects = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (schema === null || typeof schema !== 'object') return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]))
  return closed.type === 'object' && closed.properties && closed.additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed
}

/** A response, independent of the transport. */
export interface CheckedResponse {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

const format = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`

const escapePointer = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Replies to earlier paths of projects and groups, which the introduction of the document describes for all routes. */
const isOfMoved = /This resource has been moved permanently|Non GET methods are not allowed for moved/

/** Creates a function that returns the differences between a response and the OpenAPI document, as sentences. */
export const createResponseCheck = (
  createdStatus?: number,
): ((route: Pick<Route, 'method' | 'path'>, response: CheckedResponse) => string[]) => {
  const document = createOpenApiDocument(
    routes,
    { url: 'http://forge.test' },
    createdStatus,
  ) as unknown as OpenApiDocument
  // Most responses are checked a few times only: compiling shared schemas once, and not optimizing the code, takes less time.
  const compilation = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, ...compilation })
  addFormats.default(ajv)
  ajv.addFormat('binary', true)
  // The document is no schema itself, but contains schemas.
  ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'paths', 'components'])
  ajv.addSchema(closeObjects(document) as object, 'openapi')
  const validators = new Map<string, ValidateFunction>()

  const getValidator = (pointer: string): ValidateFunction => {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    validators.set(pointer, validator)
    return validator
  }

  return ({ method, path }, { status, contentType, text }) => {
    const template = path.replace(/:([a-z_]+)/g, '{$1}')
    const line = `${method} ${path}`
    const described = document.paths[template]?.[method.toLowerCase()]?.responses[status]
    if (!described && isOfMoved.test(text)) return []
    if (!described) return [`${line}: ${status} is not documented: ${text.slice(0, 200)}`]
    const name = described.$ref?.split('/').at(-1)
    const base =
      name === undefined
        ? `/paths/${escapePointer(template)}/${method.toLowerCase()}/responses/${status}`
        : `/components/responses/${name}`
    const { content } = name === undefined ? described : (document.components.responses[name] as DescribedResponse)
    if (!content) return text === '' ? [] : [`${line}: ${status} has an undocumented body`]
    const mediaType = contentType?.split(';', 1)[0] ?? 'none'
    if (!content[mediaType]) return [`${line}: ${status} has the undocumented media type ${mediaType}`]
    if (!mediaType.includes('json')) return []
    const validate = getValidator(`${base}/content/${escapePointer(mediaType)}/schema`)
    if (validate(JSON.parse(text))) return []
    return (validate.errors ?? []).slice(0, 20).map((error) => `${line}: ${status}: ${format(error)}`)
  }
}
