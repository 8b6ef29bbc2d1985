import { compileMapper, type Mapper } from '../kernel/mapper.ts'

/** Converts a stored value of a column; undefined when no conversion is needed. */
export type Decoder = ((value: unknown) => unknown) | undefined

export interface Column {
  readonly name: string
  readonly decode: Decoder
}

/** `created_at` → `createdAt`. */
const toCamelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Compiles a reader that converts the value array of a row to an object with camelCase keys. */
export const createRowReader = (columns: readonly Column[]): Mapper<readonly unknown[]> =>
  compileMapper(
    columns.map(({ name, decode }, index) => ({
      key: toCamelCase(name),
      from: index,
      read: decode && ((values) => decode(values[index])),
    })),
  )
