import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { EpicRecord } from './epic.ts'

export interface EpicTables {
  /** A large piece of work of a group. */
  epic: WithGeneratedId<EpicRecord>
  epicLabel: { epicId: number; labelId: number }
}
