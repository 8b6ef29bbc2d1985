import { type Picker, picker } from '../kernel/picker.ts'

/** How a column's stored value becomes the domain's: undefined when it is that already. */
export type Decoder = ((value: unknown) => unknown) | undefined

export interface Column {
  readonly name: string
  readonly decode: Decoder
}

/** `created_at` → `createdAt`. */
const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Turns the raw array of a row into the object features see, in one pass. */
export const rowReader = (columns: readonly Column[]): Picker<readonly unknown[]> =>
  picker(
    columns.map(({ name, decode }, at) => ({
      key: camel(name),
      from: at,
      read: decode && ((values) => decode(values[at])),
    })),
  )
