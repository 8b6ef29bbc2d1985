import type { Generated } from 'kysely'

export interface JobTables {
  job: {
    id: Generated<number>
    kind: string
    /** Of several pending jobs of a kind with one key only the first is kept. */
    key: string | null
    payload: unknown
    /** `parked`: failed too often; kept for a person to look at. */
    state: 'pending' | 'running' | 'parked'
    runAfter: string
    attempts: number
    /** A running job whose lease has ended belongs to a process that died. */
    leaseUntil: string | null
    lastError: string | null
    createdAt: string
  }
}
