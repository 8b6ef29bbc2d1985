import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { ReplicaState } from '../../kernel/replica-state.ts'
import type { Handle, MaybePromise } from '../../kernel/store.ts'
import type { Connections } from './connections.ts'
import { parseLogPosition } from './log-position.ts'

/** Runs work on committed data. */
export type Read = <T>(work: (handle: Handle) => MaybePromise<T>) => MaybePromise<T>

interface ReplicaOptions {
  readonly name: string
  readonly connections: Connections
  readonly read: Read
  /** Identifies the primary and all of its replicas. */
  readonly readSystemId: () => Promise<string>
}

export interface Replica {
  readonly read: Read
  /** Whether the replica has replayed the log up to a position. Waits for a short time. */
  hasReplayed(position: bigint): Promise<boolean>
  /** Called for each read that it answers. */
  countRead(): void
  /** Called if it failed: it is not used for some seconds. */
  fail(error: unknown): void
  /** Checks the replica. */
  readState(primaryPosition: bigint): Promise<ReplicaState>
  close(): Promise<void>
}

/** Milliseconds that a read waits for the replica before it uses the primary. */
const maxWait = 20
const checkInterval = 2
/** Milliseconds that a report on its state waits. */
const maxStateWait = 1_000
/** Milliseconds after which it is checked again that the replica is one. */
const maxAge = 1_000
/** Milliseconds without reads after it did not replay in time; they double each time. */
const minBehindPause = 25
const maxBehindPause = 1_000
/** Milliseconds without reads after a failure. */
const failurePause = 5_000

/** The name of a replica in messages and metrics. */
export const nameReplica = (source: Pool | string, index: number): string => {
  if (typeof source !== 'string' || !URL.canParse(source)) return `replica ${index + 1}`
  const { host, pathname } = new URL(source)
  return `${host}${pathname}`
}

const messageOf = (error: unknown): string => {
  const { cause, message } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}

/** A standby server that answers reads. */
export const createReplica = ({ name, connections, read, readSystemId }: ReplicaOptions): Replica => {
  let replayed = 0n
  /** Whether it is known to be a replica of the primary. */
  let isVerified = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let unusedUntil = Number.NEGATIVE_INFINITY
  let error: string | undefined
  let behindPause = minBehindPause
  let reads = 0

  const fail = (reason: unknown) => {
    isVerified = false
    checkedAt = Number.NEGATIVE_INFINITY
    replayed = 0n
    error = messageOf(reason)
    unusedUntil = performance.now() + failurePause
  }

  const verify = async () => {
    const text = 'select system_identifier::text from pg_control_system()'
    const { rows } = await connections.use((connection) => connection.query({ text, values: [] }))
    if (rows[0]?.[0] !== (await readSystemId())) throw new Error('The server is not a replica of this database')
    isVerified = true
  }

  const check = async () => {
    if (!isVerified) await verify()
    const text = 'select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text'
    const startedAt = performance.now()
    const { rows } = await connections.use((connection) => connection.query({ text, values: [] }))
    const [isStandby, position] = rows[0] as [boolean, string | null]
    if (!isStandby || position === null) throw new Error('The server is not a standby')
    replayed = parseLogPosition(position)
    checkedAt = startedAt
    error = undefined
  }

  let running: Promise<void> | undefined
  /** All callers share one check at a time. Resolves after the check, which can fail, or when the time is over. */
  const refresh = async (timeout: number) => {
    running ??= check()
      .catch(fail)
      .finally(() => {
        running = undefined
      })
    const timer = new AbortController()
    await Promise.race([running, pause(timeout, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
  }

  const hasReplayed = async (position: bigint) => {
    if (performance.now() < unusedUntil) return false
    const isReplayed = () => replayed >= position && performance.now() - checkedAt < maxAge
    const deadline = performance.now() + maxWait
    while (!isReplayed()) {
      const remaining = deadline - performance.now()
      if (remaining <= 0) {
        unusedUntil = performance.now() + behindPause
        behindPause = Math.min(behindPause * 2, maxBehindPause)
        return false
      }
      await refresh(remaining)
      // After a failure it is not checked again for a time.
      if (performance.now() < unusedUntil) return false
      if (!isReplayed()) await pause(checkInterval)
    }
    behindPause = minBehindPause
    return true
  }

  return {
    read,
    hasReplayed,
    countRead: () => void reads++,
    fail,
    async readState(primaryPosition) {
      await refresh(maxStateWait)
      if (!isVerified) return { name, reads, status: 'down', error: error ?? 'No response yet', lagBytes: null }
      const lagBytes = Math.max(0, Number(primaryPosition - replayed))
      const isBehind = performance.now() < unusedUntil && lagBytes > 0
      return { name, reads, status: isBehind ? 'behind' : 'used', error: null, lagBytes }
    },
    close: connections.close,
  }
}
