import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  SelectionSetNode,
  ValueNode,
  VariableDefinitionNode,
} from 'graphql'
import { readCount } from './connection.ts'
import type { GraphqlPackage } from './load-graphql.ts'
import type { Arguments } from './resolver.ts'

/** Characters of a query, as in GitLab. */
export const maxQueryLength = 10_000
/** Names, values and brackets: the time of the validation grows with the square of the fields. */
export const maxTokens = 1_500
const maxDepth = 20
/** Operations of the platform that one query can call. */
const maxCalls = 250
/** Fields of a query, after its fragments were inserted. */
const maxFields = 2_000

/** A query that exceeds a limit. */
class QueryLimitError extends Error {}

interface Measured {
  readonly graphql: GraphqlPackage
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The values of the variables, with the defaults of those that the client omits. */
  readonly variables: Arguments
  /** The number of operations that a field calls. */
  readonly countCalls: (type: string, field: string) => number
}

/** The number of items of a list, from its arguments or their variables. */
const countItems = ({ arguments: args = [] }: FieldNode, variables: Arguments): number => {
  const counts = args.flatMap(({ name, value }) => {
    if (name.value !== 'first' && name.value !== 'last') return []
    if (value.kind === 'IntValue') return [Number(value.value)]
    const given = value.kind === 'Variable' ? variables[value.name.value] : undefined
    return typeof given === 'number' ? [given] : []
  })
  return readCount(counts.length ? Math.max(...counts) : undefined)
}

/** Arguments with one lookup for each of their values. */
const lookupArguments = new Set(['ids', 'usernames', 'paths'])

/** The number of objects that a field looks up, at least 1. */
const countLookups = ({ arguments: args = [] }: FieldNode, variables: Arguments): number => {
  const lengths = args.map(({ name, value }) => {
    if (!lookupArguments.has(name.value)) return 0
    if (value.kind === 'ListValue') return value.values.length
    const given = value.kind === 'Variable' ? variables[value.name.value] : undefined
    return Array.isArray(given) ? given.length : 0
  })
  return Math.max(1, ...lengths)
}

/** Counts the calls of a selection, and throws as soon as a limit is exceeded. */
const createCounter = ({ graphql, schema, fragments, variables, countCalls }: Measured) => {
  let fields = 0
  let calls = 0
  const walk = (selections: SelectionSetNode, typeName: string, repetitions: number, depth: number): void => {
    if (depth > maxDepth) throw new QueryLimitError(`Query has depth of more than ${maxDepth}`)
    for (const selection of selections.selections) {
      if (++fields > maxFields) throw new QueryLimitError(`Query has more than ${maxFields} fields`)
      if (selection.kind !== 'Field') {
        const fragment = selection.kind === 'FragmentSpread' ? fragments.get(selection.name.value) : selection
        if (fragment) walk(fragment.selectionSet, fragment.typeCondition?.name.value ?? typeName, repetitions, depth)
        continue
      }
      const name = selection.name.value
      calls += repetitions * countCalls(typeName, name) * countLookups(selection, variables)
      if (calls > maxCalls)
        throw new QueryLimitError(`Query calls more than ${maxCalls} operations: request fewer items with first`)
      const type = schema.getType(typeName)
      const hasFields = graphql.isObjectType(type) || graphql.isInterfaceType(type)
      const field = hasFields ? type.getFields()[name] : undefined
      if (!field || !selection.selectionSet) continue
      const child = graphql.getNamedType(field.type).name
      const count = child.endsWith('Connection') ? Math.max(countItems(selection, variables), 1) : 1
      walk(selection.selectionSet, child, repetitions * count, depth + 1)
    }
  }
  return walk
}

/** The number of values of a literal list, and the number of an integer; what the limits read of a value. */
const toValue = (node: ValueNode): unknown => {
  if (node.kind === 'IntValue') return Number(node.value)
  if (node.kind === 'ListValue') return node.values.map(toValue)
  return undefined
}

/** Variables that a client omits have their default values. */
const withDefaults = (definitions: readonly VariableDefinitionNode[], variables: Arguments): Arguments => {
  const defaults = definitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, toValue(defaultValue)] as const] : [],
  )
  const given = Object.entries(variables).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(given) }
}

/** Why a valid query is not executed; undefined if it stays within the limits. */
export const findExceededLimit = (
  document: DocumentNode,
  measured: Omit<Measured, 'fragments'>,
): string | undefined => {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions) if (node.kind === 'FragmentDefinition') fragments.set(node.name.value, node)
  try {
    for (const node of document.definitions) {
      if (node.kind !== 'OperationDefinition') continue
      const variables = withDefaults(node.variableDefinitions ?? [], measured.variables)
      const walk = createCounter({ ...measured, variables, fragments })
      const root = measured.schema.getRootType(node.operation)
      if (root) walk(node.selectionSet, root.name, 1, 1)
    }
  } catch (error) {
    if (error instanceof QueryLimitError) return error.message
    throw error
  }
  return undefined
}
