import type { Generated } from 'kysely'
import type { HookChain } from '../call.ts'

export interface JobTables {
  job: {
    id: Generated<number>
    kind: string
    /** At most one pending or running job of a kind has this key: see `requestedAgain`. */
    key: string | null
    payload: unknown
    /** The host that the job connects to; null for jobs that connect to none. */
    destination: string | null
    /** Of the call that the job follows from; null for most. */
    hookChain: HookChain | null
    /** `parked`: failed, or ended its process, in 10 attempts; kept for an operator. */
    state: 'pending' | 'running' | 'parked'
    runAfter: string
    attempts: number
    /** The process that runs the job, or ran it last: see `getProcessIdentity`. */
    claimedBy: string | null
    /** A running job with an expired lease was abandoned by a process that died. */
    leaseUntil: string | null
    lastError: string | null
    /** Another job with the same key was queued while this one ran: it runs once more. */
    requestedAgain: boolean
    createdAt: string
  }
}
