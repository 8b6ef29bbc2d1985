import type { Generated } from 'kysely'

/** A row as it is written: what it is read as, with an id that the database gives. */
export type Stored<Row extends { readonly id: number }> = Omit<Row, 'id'> & { id: Generated<number> }
