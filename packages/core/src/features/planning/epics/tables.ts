import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { EpicRecord } from './epic.ts'

export interface EpicTables {
  /** A large piece of work of a group. */
  epic: WithGeneratedId<EpicRecord>
  epicLabel: { epicId: number; labelId: number }
  /** The parent of an epic. An epic has at most one. */
  epicLink: {
    /** The child. */
    id: number
    parentId: number
    /** Place among the children of the parent; the smallest is the first. */
    relativePosition: number
  }
}
