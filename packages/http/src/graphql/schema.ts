import { defined } from '@forgelet/core/operations'
import type { TypeResolvers } from './resolver.ts'
import type { Mutation } from './schema-part.ts'
import { parts } from './types/index.ts'

/** A list with cursors, as in the specification of cursor connections. */
const createConnectionType = (type: string) => `
type ${type}Connection {
  nodes: [${type}]
  edges: [${type}Edge]
  pageInfo: PageInfo!
  "Number of items; null for more than 10,000."
  count: Int
}
type ${type}Edge { cursor: String! node: ${type} }
`

/** GitLab names the types of a mutation after it. */
const createMutationTypes = (name: string, { input, payload }: Mutation) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return `
input ${type}Input { ${input} clientMutationId: String }
type ${type}Payload { ${payload} errors: [String!]! clientMutationId: String }
extend type Mutation { ${name}(input: ${type}Input!): ${type}Payload }
`
}

export const mutations: Readonly<Record<string, Mutation>> = Object.assign({}, ...parts.map((part) => part.mutations))

const findNames = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => defined(name))),
]

const createSchemaText = (): string => {
  const types = parts.map((part) => part.types ?? '').join('')
  const mutationTypes = Object.entries(mutations).map(([name, mutation]) => createMutationTypes(name, mutation))
  const text = `type Query\ntype Mutation\n${types}${mutationTypes.join('')}`
  const connections = findNames(text, /\b(\w+)Connection\b/g).map(createConnectionType)
  const ids = findNames(text, /\b([A-Z][a-z]\w*ID)\b/g).map((name) => `scalar ${name}\n`)
  return `${text}${connections.join('')}${ids.join('')}`
}

/** `docs/guide/graphql.md` lists what is left out. */
export const schemaText = createSchemaText()

const mergeResolvers = (): Readonly<Record<string, TypeResolvers>> => {
  const merged: Record<string, Required<TypeResolvers>> = {}
  for (const { resolvers = {} } of parts)
    for (const [type, { computed, calls }] of Object.entries(resolvers)) {
      const known = merged[type] ?? { computed: {}, calls: {} }
      merged[type] = { computed: { ...known.computed, ...computed }, calls: { ...known.calls, ...calls } }
    }
  return merged
}

/** Resolvers by type. */
export const resolvers = mergeResolvers()

const weights: Readonly<Record<string, number>> = Object.assign({}, ...parts.map((part) => part.weights))

/** The number of operations of the platform that a field calls. */
export const countCalls = (type: string, field: string): number => {
  const isCall = type === 'Mutation' || resolvers[type]?.calls?.[field] !== undefined
  return isCall ? (weights[`${type}.${field}`] ?? 1) : 0
}
