import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { MilestoneRecord } from './milestone.ts'

export interface MilestoneTables {
  /** A milestone of exactly one of a project and a group. */
  milestone: WithGeneratedId<MilestoneRecord>
}
