import type { Generated } from 'kysely'
import type { BroadcastType } from './broadcast-message.ts'

export interface BroadcastMessageTables {
  /** A message to all users of the instance. */
  broadcastMessage: {
    id: Generated<number>
    message: string
    startsAt: string
    endsAt: string
    broadcastType: BroadcastType
    theme: string
    color: string
    font: string
    dismissable: boolean
    targetPath: string | null
    targetAccessLevels: readonly number[]
    createdAt: string
  }
}
