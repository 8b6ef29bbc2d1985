import { createOpenApiDocument } from '../../../packages/http/src/openapi/document.ts'
import { routes } from '../../../packages/http/src/routes.ts'
import { toSnakeCase } from '../../../packages/http/src/wire-names.ts'
import type { Descriptions } from './operations.ts'
import { getControlInputs, getDescriptions, getWires } from './read-comments.ts'
import { getSeedDescriptions } from './seeds.ts'

type Texts = Record<string, string>
type Json = Readonly<Record<string, unknown>>

/** Moves the most frequent text of each name that several groups have into the group `*`. */
const shareTexts = (groups: ReadonlyMap<string, Texts>): Record<string, Texts> => {
  const counts = new Map<string, Map<string, number>>()
  for (const [name, text] of [...groups.values()].flatMap((texts) => Object.entries(texts))) {
    if (name === '' || text === '') continue
    const ofName = counts.get(name) ?? new Map<string, number>()
    counts.set(name, ofName.set(text, (ofName.get(text) ?? 0) + 1))
  }
  const shared: Texts = {}
  for (const [name, ofName] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [text, count] = [...ofName].reduce((most, next) => (next[1] > most[1] ? next : most))
    if (count > 1) shared[name] = text
  }
  const own = [...groups].map(
    ([group, texts]) =>
      [group, Object.fromEntries(Object.entries(texts).filter(([name, text]) => shared[name] !== text))] as const,
  )
  return { '*': shared, ...Object.fromEntries(own.filter(([, texts]) => Object.keys(texts).length)) }
}

/** The paths of all properties of a schema: `references.short`. Those of named schemas are not included. */
export const listPropertyPaths = (schema: unknown, prefix = ''): readonly string[] => {
  if (schema === null || typeof schema !== 'object') return []
  if (Array.isArray(schema)) return schema.flatMap((inner) => listPropertyPaths(inner, prefix))
  const { properties = {}, items, anyOf, additionalProperties } = schema as Json
  return [
    ...Object.entries(properties as Json).flatMap(([name, inner]) => [
      `${prefix}${name}`,
      ...listPropertyPaths(inner, `${prefix}${name}.`),
    ]),
    ...[items, anyOf, additionalProperties].flatMap((inner) => listPropertyPaths(inner, prefix)),
  ]
}

/** Names of inputs and results in comments are those of the library: `perPage: 50` → `per_page: 50`. */
const createTextConverter = ({ operations, types }: Descriptions) => {
  const fields = [...operations.flatMap(({ inputs }) => inputs), ...[...types.values()].flatMap(({ fields }) => fields)]
  const names = new Set(fields.flatMap(({ path }) => path.split('.')))
  return (text: string) =>
    text.replace(/`([a-z]\w*)/gi, (code, name) => (names.has(name) ? `\`${toSnakeCase(name)}` : code))
}

const toWirePath = (path: string) => path.split('.').map(toSnakeCase).join('.')

/** The named schemas of the OpenAPI document. */
export const readSchemas = (): Json => {
  const document = createOpenApiDocument(routes, { url: '' }) as unknown as { readonly components: { schemas: Json } }
  return document.components.schemas
}

const describeWires = (): ReadonlyMap<string, Texts> => {
  const schemas = readSchemas()
  return new Map(
    getWires().map(({ title, description, fields }) => {
      const paths = listPropertyPaths(schemas[title])
      return [
        title,
        { '': description, ...Object.fromEntries(paths.map((path) => [path, fields[path] ?? ''])) },
      ] as const
    }),
  )
}

/** By the path of the object. Names are those of seeds, which are the names of the library. */
const describeSeeds = (): ReadonlyMap<string, Texts> => {
  const groups = new Map<string, Texts>()
  for (const { path, text } of getSeedDescriptions(listPropertyPaths)) {
    const lastDot = path.lastIndexOf('.')
    const group = path.slice(0, Math.max(lastDot, 0))
    groups.set(group, { ...groups.get(group), [path.slice(lastDot + 1)]: text })
  }
  return groups
}

/** Relative to the root of the workspace. */
export const descriptionsPath = 'packages/http/src/openapi/descriptions.json'

/** The descriptions for the OpenAPI document and the command line, as JSON; `openapi/descriptions.ts` has its structure. */
export const createDescriptionsFile = (): string => {
  const descriptions = getDescriptions()
  const { operations } = descriptions
  const convert = createTextConverter(descriptions)
  const inputs = operations.map(
    ({ name, inputs }) =>
      [name, Object.fromEntries(inputs.map(({ path, description }) => [toWirePath(path), description]))] as const,
  )
  const content = {
    operations: Object.fromEntries(operations.map(({ name, description }) => [name, description])),
    inputs: shareTexts(new Map(inputs)),
    schemas: shareTexts(describeWires()),
    control: shareTexts(getControlInputs()),
  }
  const wire = JSON.parse(JSON.stringify(content), (_, value) => (typeof value === 'string' ? convert(value) : value))
  return `${JSON.stringify({ ...wire, seed: shareTexts(describeSeeds()) }, undefined, 2)}\n`
}
