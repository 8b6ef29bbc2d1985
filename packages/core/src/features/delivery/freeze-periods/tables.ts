import type { Generated } from 'kysely'

export interface FreezePeriodTables {
  /** A recurring time in which a project should not be deployed. */
  freezePeriod: {
    id: Generated<number>
    projectId: number
    freezeStart: string
    freezeEnd: string
    cronTimezone: string
    createdAt: string
    updatedAt: string
  }
}
