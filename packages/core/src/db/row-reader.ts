import type { Row } from '../kernel/store.ts'

/** How a column's stored value becomes the domain's: undefined when it is that already. */
export type Decoder = ((value: unknown) => unknown) | undefined

export interface Column {
  readonly name: string
  readonly decode: Decoder
}

/** `created_at` → `createdAt`. */
const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type Reader = (values: readonly unknown[]) => Row

const closure = (columns: readonly Column[]): Reader => {
  const fields = columns.map(({ name, decode }) => ({ name: camel(name), decode }))
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < fields.length; at++) {
      const { name, decode } = fields[at] as (typeof fields)[number]
      row[name] = decode ? decode(values[at]) : values[at]
    }
    return row
  }
}

const generated = (columns: readonly Column[]): Reader => {
  const fields = columns.map(({ name, decode }, at) => {
    const value = decode ? `decode[${at}](values[${at}])` : `values[${at}]`
    return `${JSON.stringify(camel(name))}: ${value}`
  })
  const decode = columns.map((column) => column.decode)
  // One object literal a row is what the engine makes fastest. The text holds column names only, as JSON.
  return new Function('decode', `return (values) => ({ ${fields.join(', ')} })`)(decode) as Reader
}

/** Turns the raw array of a row into the object features see, in one pass. Hosts that forbid code generation get a loop. */
export const rowReader = (columns: readonly Column[]): Reader => {
  try {
    return generated(columns)
  } catch {
    return closure(columns)
  }
}
