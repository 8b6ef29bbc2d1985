import type { Pool } from 'pg'
import { isPlatformError } from '../../kernel/errors.ts'
import type { ReplicaState } from '../../kernel/replica-state.ts'
import type { Handle, MaybePromise } from '../../kernel/store.ts'
import { coalesce } from '../coalesce.ts'
import { type ConnectionOptions, type Connections, openConnections } from './connections.ts'
import { isConnectionError, isSerializationFailure } from './errors.ts'
import { parseLogPosition } from './log-position.ts'
import { createReplica, nameReplica, type Read } from './replica.ts'

interface ReplicasOptions {
  readonly sources: readonly (Pool | string)[]
  readonly connectionOptions: ConnectionOptions
  readonly primary: Connections
  readonly readPrimary: Read
  /** Creates a function that reads through connections. */
  readonly createReader: (connections: Connections) => Read
}

export interface Replicas {
  /** Runs `work` on a replica with all changes that were committed when the call began; if there is none, on the primary. */
  read<T>(work: (handle: Handle) => MaybePromise<T>): Promise<T>
  readState(): Promise<readonly ReplicaState[]>
  close(): Promise<void>
}

/**
 * Whether the primary can answer a read that failed on a replica: the connection was lost, or the query needed rows that the
 * replica had to remove. A query that exceeds a time limit would exceed it there as well.
 */
const isReplicaFailure = (error: unknown): boolean =>
  isPlatformError(error) &&
  error.code === 'unavailable' &&
  (error.cause === undefined || isConnectionError(error.cause) || isSerializationFailure(error.cause))

/** A primary that has become a standby has no such position, but answers reads. */
const rejectIfUnavailable = (error: unknown): undefined => {
  if (isPlatformError(error)) throw error
}

/**
 * Reads on replicas that are never older than the start of the call: each read first learns the end of the primary's log, which
 * concurrent reads share, and uses a replica that has replayed the log up to there.
 *
 * @throws TypeError if a source is neither a URL nor a pool
 */
export const openReplicas = (options: ReplicasOptions): Replicas => {
  const { sources, connectionOptions, primary, readPrimary, createReader } = options
  const readText = async (text: string) => {
    const { rows } = await primary.use((connection) => connection.query({ text, values: [] }))
    return String(rows[0]?.[0])
  }
  // The end of the inserted log, not of the flushed log: with `synchronous_commit = off`, commits are visible before the flush.
  const readPosition = coalesce(async () =>
    parseLogPosition(await readText('select pg_current_wal_insert_lsn()::text')),
  )
  let systemId: Promise<string> | undefined
  const readSystemId = () => {
    systemId ??= readText('select system_identifier::text from pg_control_system()').catch((error: unknown) => {
      systemId = undefined
      throw error
    })
    return systemId
  }
  const replicas = sources.map((source, index) => {
    const connections = openConnections(source, connectionOptions)
    return createReplica({
      name: nameReplica(source, index),
      connections,
      read: createReader(connections),
      readSystemId,
    })
  })

  let turn = 0
  const select = async () => {
    const position = await readPosition().catch(rejectIfUnavailable)
    if (position === undefined) return undefined
    const first = turn++
    for (let index = 0; index < replicas.length; index++) {
      const replica = replicas[(first + index) % replicas.length]
      if (await replica?.hasReplayed(position)) return replica
    }
    return undefined
  }

  return {
    async read(work) {
      const replica = await select()
      if (!replica) return readPrimary(work)
      try {
        const result = await replica.read(work)
        replica.countRead()
        return result
      } catch (error) {
        if (!isReplicaFailure(error)) throw error
        if (isPlatformError(error) && !isSerializationFailure(error.cause)) replica.fail(error)
        return readPrimary(work)
      }
    },
    async readState() {
      const position = (await readPosition().catch(rejectIfUnavailable)) ?? 0n
      return Promise.all(replicas.map((replica) => replica.readState(position)))
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
    },
  }
}
