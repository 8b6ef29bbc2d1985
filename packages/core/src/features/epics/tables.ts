import type { Stored } from '../../db/stored.ts'
import type { EpicRecord } from './epic.ts'

export interface EpicTables {
  /** A large piece of work of a group. */
  epic: Stored<EpicRecord>
}
