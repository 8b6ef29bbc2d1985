import type { Generated } from 'kysely'

/** The table type for a row type with an id that the database generates. */
export type WithGeneratedId<Row extends { readonly id: number }> = Omit<Row, 'id'> & { id: Generated<number> }
