import { conflict } from '../kernel/errors.ts'

/** Turns a unique violation into a `conflict` error that does not reveal the other row; returns other errors unchanged. */
export const toConflictError = (error: unknown, isDuplicate: boolean): unknown =>
  isDuplicate ? Object.assign(conflict('Already exists'), { cause: error }) : error
