import type { Generated } from 'kysely'
import type { PushRuleValues } from './push-rule.ts'

export interface PushRuleTables {
  /** The push rule of exactly one of a project and a group. */
  pushRule: PushRuleValues & {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    createdAt: string
  }
}
