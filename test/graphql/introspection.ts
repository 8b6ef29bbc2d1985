import type { createClient } from './client.ts'

/** Types of the schema, from introspection. */

export interface TypeReference {
  readonly kind: string
  readonly name: string | null
  readonly ofType: TypeReference | null
}

export interface InputField {
  readonly name: string
  readonly type: TypeReference
  readonly defaultValue: string | null
}

export interface Field {
  readonly name: string
  readonly args: readonly InputField[]
  readonly type: TypeReference
}

interface SchemaType {
  readonly name: string
  readonly kind: string
  readonly fields: readonly Field[] | null
  readonly inputFields: readonly InputField[] | null
  readonly enumValues: readonly { readonly name: string }[] | null
}

const reference = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'
const input = `name defaultValue type { ${reference} }`

export const readTypes = async ({ data }: ReturnType<typeof createClient>) => {
  const { __schema } = await data(`{ __schema { types {
    name kind
    fields { name args { ${input} } type { ${reference} } }
    inputFields { ${input} }
    enumValues { name }
  } } }`)
  const types: readonly SchemaType[] = __schema.types
  return new Map(types.map((type) => [type.name, type]))
}

export type Types = Awaited<ReturnType<typeof readTypes>>

export const namedType = (type: TypeReference): TypeReference => (type.ofType ? namedType(type.ofType) : type)

const isLeaf = (type: TypeReference) => ['SCALAR', 'ENUM'].includes(namedType(type).kind)
export const isRequired = ({ type, defaultValue }: InputField) => type.kind === 'NON_NULL' && defaultValue === null

/** A selection of all fields of a type that have simple values, and of those of the items of a connection. */
export const selectLeaves = (types: Types, type: TypeReference): string => {
  if (isLeaf(type)) return ''
  const { kind, name } = namedType(type)
  if (kind !== 'OBJECT') return '{ __typename }'
  const fields = types.get(name as string)?.fields ?? []
  const leaves = fields.filter((field) => isLeaf(field.type) && !field.args.some(isRequired)).map((field) => field.name)
  const nodes = fields.find((field) => field.name === 'nodes')
  const page = nodes ? ['pageInfo { hasNextPage endCursor }', `nodes ${selectLeaves(types, nodes.type)}`] : []
  return `{ ${['__typename', ...leaves, ...page].join(' ')} }`
}
