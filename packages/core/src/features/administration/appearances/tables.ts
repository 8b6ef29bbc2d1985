import type { Appearance } from './appearance.ts'

export interface AppearanceTables {
  /** At most one row, with the id 1. */
  appearance: Appearance & {
    id: number
    updatedAt: string
  }
}
