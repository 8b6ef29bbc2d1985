import type { Generated } from 'kysely'
import type { CiVariable } from './variable.ts'

export interface CiVariableTables {
  /** A variable of a project, a group or, without both, the instance. */
  ciVariable: {
    id: Generated<number>
    /** The owner as one text; with key and environment scope, unique. */
    scope: string
    projectId: number | null
    groupId: number | null
    key: string
    /** The encrypted value. */
    sealedValue: string
    variableType: CiVariable['variableType']
    protected: boolean
    masked: boolean
    hidden: boolean
    raw: boolean
    environmentScope: string
    description: string | null
  }
}
