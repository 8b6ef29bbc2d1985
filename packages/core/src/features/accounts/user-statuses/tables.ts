import type { UserStatus } from './status.ts'

export interface UserStatusTables {
  /** The status that a user has set; without a row, or after `clearAt`, the user has none. */
  userStatus: {
    userId: number
    emoji: string
    message: string
    availability: UserStatus['availability']
    clearAt: string | null
  }
}
