import type { Generated } from 'kysely'

export interface CustomAttributeTables {
  /** A custom attribute of exactly one of a user, a group and a project. */
  customAttribute: {
    id: Generated<number>
    userId: number | null
    groupId: number | null
    projectId: number | null
    key: string
    value: string
  }
}
