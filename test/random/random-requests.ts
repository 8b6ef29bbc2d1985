import fc from 'fast-check'
import { asText, encode, formatPairs, hostileValues } from '../http/hostile-values.ts'

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
  readonly example?: unknown
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>
  }
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** A generated request, before it is sent with a credential. */
export interface RandomRequest {
  readonly method: string
  /** From the root, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | undefined
  /** The name of a credential. */
  readonly credential: string
}

/** Existing values of parameters by name. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

const numbers = (schema: Json) => {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 } = schema as { minimum?: number; maximum?: number }
  const min = Math.max(minimum, 0)
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max: Math.max(Math.min(maximum, min + 100), min) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 0, -1, 0.5) },
  )
}

const formats: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  binary: fc.string({ unit: 'binary', maxLength: 50 }),
}

const texts = ({ format, maxLength = 100 }: Json) => {
  const length = Math.min(Number(maxLength), 100)
  const any = fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: length }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: length + 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(255), 'x'.repeat(256), 'x'.repeat(length + 1)) },
  )
  const ofFormat = formats[format as string]
  return ofFormat ? fc.oneof({ weight: 4, arbitrary: ofFormat }, { weight: 1, arbitrary: any }) : any
}

/** Creates requests from an OpenAPI document: with valid, almost valid and hostile values. */
export const createRequestGenerator = (
  document: OpenApiDocument,
  known: KnownValues,
  credentials: readonly string[],
): fc.Arbitrary<RandomRequest> => {
  const resolve = (schema: Json): Json =>
    typeof schema.$ref === 'string'
      ? (document.components.schemas[schema.$ref.split('/').at(-1) as string] as Json)
      : schema

  const fromSchema = (schema: Json, name: string, depth = 0): fc.Arbitrary<unknown> => {
    const resolved = resolve(schema)
    if (resolved.anyOf) return fc.oneof(...(resolved.anyOf as Json[]).map((one) => fromSchema(one, name, depth)))
    if (resolved.enum) return fc.constantFrom(...(resolved.enum as unknown[]))
    if (Object.hasOwn(resolved, 'const')) return fc.constant(resolved.const)
    switch (resolved.type) {
      case 'integer':
      case 'number':
        return numbers(resolved)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(createValue((resolved.items ?? {}) as Json, name, depth + 1), { maxLength: 4 })
      case 'object':
        return objectOf(resolved, depth)
      case 'string':
        return texts(resolved)
      default:
        return fc.constantFrom(...hostileValues)
    }
  }

  const objectOf = (
    { properties, required = [], additionalProperties }: Json,
    depth: number,
  ): fc.Arbitrary<unknown> => {
    if (!properties) {
      const value =
        typeof additionalProperties === 'object' ? fromSchema(additionalProperties as Json, '', depth) : fc.json()
      return fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 3 })
    }
    const names = Object.keys(properties)
    const fields = Object.fromEntries(
      names.map((name) => [
        name,
        createValue((properties as Readonly<Record<string, Json>>)[name] as Json, name, depth + 1),
      ]),
    )
    // Most bodies have the required properties, and only a few of the others.
    const optional = names.filter((name) => !(required as string[]).includes(name))
    return fc
      .tuple(fc.record(fields), fc.subarray(optional), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 20 }))
      .map(([all, chosen, count, dropped]) => {
        const kept = new Set([...(required as string[]).filter((_, at) => dropped !== at), ...chosen.slice(0, count)])
        return Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)))
      })
  }

  const createValue = (schema: Json, name: string, depth = 0): fc.Arbitrary<unknown> => {
    const existing = known[name.replace(/\[\]$/, '')]
    const wrapped = existing && resolve(schema).type === 'array' ? existing.map((one) => [one]) : existing
    return fc.oneof(
      { weight: 12, arbitrary: wrapped ? fc.constantFrom(...wrapped) : fromSchema(schema, name, depth) },
      { weight: 4, arbitrary: fromSchema(schema, name, depth) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileValues) },
    )
  }

  const generators = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => createOperationGenerator(path, method, operation)),
  )

  function createOperationGenerator(path: string, method: string, operation: Operation): fc.Arbitrary<RandomRequest> {
    const { parameters = [], requestBody } = operation
    const kind = path.split('/')[path.startsWith('/-/') ? 2 : 3]
    const inPath = parameters.filter((one) => one.in === 'path')
    const inQuery = parameters.filter((one) => one.in === 'query')
    const contents = Object.entries(requestBody?.content ?? {})
    const [type, content] = contents[0] ?? []
    const pathValue = ({ name, schema }: Parameter) =>
      name === 'id' && known[`${kind}:id`]
        ? fc.oneof(
            { weight: 12, arbitrary: fc.constantFrom(...(known[`${kind}:id`] as unknown[])) },
            { weight: 1, arbitrary: createValue(schema, name) },
          )
        : createValue(schema, name)
    return fc
      .record({
        path: fc.record(Object.fromEntries(inPath.map((one) => [one.name, pathValue(one)]))),
        query: fc.record(Object.fromEntries(inQuery.map((one) => [one.name, createValue(one.schema, one.name)]))),
        queryNames: fc.subarray(inQuery.filter(({ required }) => !required).map(({ name }) => name)),
        body: content
          ? fc.oneof(
              { weight: 1, arbitrary: fc.constant(content.example) },
              { weight: 9, arbitrary: fromSchema(content.schema, '') },
            )
          : fc.constant(undefined),
        form: fc.integer({ min: 0, max: 9 }),
        credential: fc.constantFrom(...credentials),
      })
      .map(({ path: pathValues, query, queryNames, body, form, credential }) => {
        const required = inQuery.filter((one) => one.required).map(({ name }) => name)
        const sent = [...required, ...queryNames.slice(0, 4)].flatMap((name) =>
          formatPairs(name.replace(/\[\]$/, ''), (query as Json)[name]),
        )
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode((pathValues as Json)[name]) || '%20')
        return {
          method: method.toUpperCase(),
          target: `${filled}${sent.length ? `?${sent.join('&')}` : ''}`,
          credential,
          ...createBody(body, type, contents.length > 1 && form < 2),
        }
      })
  }

  return fc.oneof(...generators)
}

const createBody = (
  value: unknown,
  type: string | undefined,
  asForm: boolean,
): Pick<RandomRequest, 'headers' | 'body'> => {
  if (value === undefined || type === undefined) return { headers: {}, body: undefined }
  if (type === 'multipart/form-data') {
    const form = new FormData()
    for (const [name, field] of Object.entries(value as Json)) form.set(name, new File([asText(field)], 'a.txt'))
    return { headers: {}, body: form }
  }
  if (!asForm) return { headers: { 'content-type': type }, body: JSON.stringify(value) }
  const pairs = Object.entries(value as Json).flatMap(([name, field]) => formatPairs(name, field))
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: pairs.join('&') }
}
