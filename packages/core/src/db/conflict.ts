import { conflict } from '../kernel/errors.ts'

/** A refused duplicate becomes a conflict that names no other row; anything else stays what it was. */
export const conflictFrom = (error: unknown, duplicate: boolean): unknown =>
  duplicate ? Object.assign(conflict('Already exists'), { cause: error }) : error
