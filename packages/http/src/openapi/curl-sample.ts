import { formatCurlCommand, tokenPlaceholder } from '../request/curl-command.ts'
import type { Json } from './json-schema.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly example?: unknown
  readonly schema?: Json
}

interface MediaType {
  readonly schema?: { readonly $ref?: string }
  readonly example?: unknown
}

/** The parts of a described operation from which its sample is made. */
interface DescribedOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

/** The header of each security scheme that has one. */
const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  token: { 'PRIVATE-TOKEN': tokenPlaceholder },
  bearer: { Authorization: `Bearer ${tokenPlaceholder}` },
  metrics: { Authorization: `Bearer ${tokenPlaceholder}` },
}

const getExample = ({ example, schema }: Parameter): unknown => example ?? schema?.default ?? ''

/** The query parameters with an example; a list or an object has one parameter for each of its values. */
const createQuery = (parameters: readonly Parameter[]): string => {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .flatMap((parameter): readonly (readonly [string, unknown])[] => {
      const example = getExample(parameter)
      if (Array.isArray(example)) return example.map((value) => [parameter.name, value])
      if (example === null || typeof example !== 'object') return [[parameter.name, example]]
      return Object.entries(example).map(([key, value]) => [`${parameter.name}[${key}]`, value])
    })
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
}

const isFile = (schema: Json | undefined): boolean => schema?.format === 'binary'

/** The fields of an upload: a local file for each file, the examples of all others. */
const createForm = (properties: Readonly<Record<string, Json>>, required: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, schema]) => isFile(schema) || required.includes(name))
      .map(([name, schema]) => [name, isFile(schema) ? '@logo.png' : 'example']),
  )

/**
 * Creates the command of curl for an operation of the document, with the examples of its required parameters and of its body.
 *
 * @param getSchema returns a named schema of the document
 */
export const createCurlSample = (
  method: string,
  path: string,
  operation: DescribedOperation,
  serverUrl: string,
  getSchema: (reference: string) => Json,
): string => {
  const { parameters = [], requestBody, security = [] } = operation
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    return encodeURIComponent(String(parameter ? getExample(parameter) : ''))
  })
  const query = createQuery(parameters)
  const [scheme] = security.flatMap((entry) => Object.keys(entry))
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const isForm = mediaType === 'multipart/form-data'
  const isBytes = mediaType === 'application/octet-stream'
  const schema = content?.schema?.$ref === undefined ? undefined : getSchema(content.schema.$ref)
  const form = isForm && {
    form: createForm(
      (schema?.properties ?? {}) as Readonly<Record<string, Json>>,
      (schema?.required ?? []) as readonly string[],
    ),
  }
  return formatCurlCommand({
    method: method.toUpperCase(),
    url: `${serverUrl}${filled}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(scheme === undefined ? {} : credentials[scheme]),
      ...(mediaType !== undefined && !isForm && { 'Content-Type': mediaType }),
    },
    body: form || (content && (isBytes ? String(content.example) : JSON.stringify(content.example))),
  })
}
