import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { cancel } from '../../../kernel/jobs/queue.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { getProcessIdentity, isProcessGone } from '../../../kernel/process-identity.ts'
import type { Ports } from '../../../ports/ports.ts'
import { selectPendingChanges } from './queries.ts'

/** The parts of the platform that repository changes require. */
export interface RepositoryWriter {
  readonly ports: Ports
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** Milliseconds without a renewal after which another process takes the lock. */
const leaseTime = 10_000
const renewalInterval = 2_000
/** Milliseconds that a call waits: longer than a lease, so that it outlives the lock of a process that has ended. */
const waitTime = 20_000
/** Milliseconds between two attempts; increases up to `longestPause`. */
const shortestPause = 20
const longestPause = 250
/** Seconds after which a job repairs the repository if the process that changes it has ended. */
const recoverySeconds = 60

/** A lock of another process. Its holder is alive while `beat` changes. */
interface Holder {
  readonly owner: string
  readonly beat: number
}

interface Attempt {
  readonly outcome: 'acquired' | 'taken over' | 'held'
  readonly holder?: Holder
}

const lockedError = () =>
  new PlatformError('unavailable', 'The repository is being changed by another call', { retryAfter: 5 })

const lostError = () =>
  new PlatformError('unavailable', 'Another process took the lock of the repository. The change may have been made', {
    reason: 'outcome_unknown',
  })

/** `expired`: the state of a lock that has not changed for the length of a lease. */
const tryAcquire = async (ctx: Context, projectId: number, owner: string, expired?: Holder): Promise<Attempt> => {
  const { db } = ctx
  const lock = { projectId, owner, beat: 0 } satisfies CompleteRow<'repositoryLock'>
  const insert = db
    .insertInto('repositoryLock')
    .values(lock)
    .onConflict((conflict) => conflict.doNothing())
  const [inserted] = await insert.returning('projectId').execute()
  if (inserted === undefined && expired !== undefined) {
    const update = db.updateTable('repositoryLock').set({ owner, beat: 0 }).where('projectId', '=', projectId)
    const stale = update.where('owner', '=', expired.owner).where('beat', '=', expired.beat)
    const [taken] = await stale.returning('projectId').execute()
    if (taken !== undefined) return { outcome: 'taken over' }
  }
  if (inserted === undefined) {
    const row = db.selectFrom('repositoryLock').where('projectId', '=', projectId).select(['owner', 'beat'])
    const holder = await row.executeTakeFirst()
    return { outcome: 'held', ...(holder && { holder }) }
  }
  const runAfter = addSeconds(ctx.now, recoverySeconds)
  await ctx.enqueue('repository.recover', { projectId }, { key: String(projectId), runAfter })
  return { outcome: 'acquired' }
}

/** Separates the id of a call from the process that makes it. */
const ownerSeparator = '/'

/** Whether the process of a lock is known to have ended, because it was killed on this machine. */
const hasEnded = ({ owner }: Holder) => isProcessGone(owner.slice(owner.indexOf(ownerSeparator) + 1))

/**
 * Waits for the lock. Time is measured by this process only: a lock expires when its row has not changed for the length of a
 * lease, so clocks that differ between servers have no effect. The lock of a process that is known to have ended is taken at once.
 */
const acquire = async (
  { write }: RepositoryWriter,
  projectId: number,
  owner: string,
  deadline: number,
): Promise<'acquired' | 'taken over'> => {
  let seen: { readonly holder: Holder; readonly since: number } | undefined
  for (let delay = shortestPause; ; delay = Math.min(delay * 2, longestPause)) {
    const now = performance.now()
    const expired = seen !== undefined && now - seen.since > leaseTime ? seen.holder : undefined
    const { outcome, holder } = await write((ctx) => tryAcquire(ctx, projectId, owner, expired))
    if (outcome !== 'held') return outcome
    if (holder !== undefined && hasEnded(holder)) {
      // Nothing renews this lock any more.
      const taken = await write((ctx) => tryAcquire(ctx, projectId, owner, holder))
      if (taken.outcome !== 'held') return taken.outcome
    }
    if (performance.now() > deadline) throw lockedError()
    if (holder?.owner !== seen?.holder.owner || holder?.beat !== seen?.holder.beat)
      seen = holder && { holder, since: now }
    await pause(delay * (0.5 + Math.random()))
  }
}

/**
 * Renews the lease. The row stays locked until the end of the transaction, so no other process can take the lock before.
 *
 * @throws PlatformError `unavailable` if another process has taken the lock
 */
const renew = async ({ db }: Context, projectId: number, owner: string) => {
  const own = db.updateTable('repositoryLock').where('projectId', '=', projectId).where('owner', '=', owner)
  const renewed = await own
    .set((eb) => ({ beat: eb('beat', '+', 1) }))
    .returning('projectId')
    .execute()
  if (renewed.length === 0) throw lostError()
}

const release = (writer: RepositoryWriter, projectId: number, owner: string) =>
  writer.write(async (ctx) => {
    const own = ctx.db.deleteFrom('repositoryLock').where('projectId', '=', projectId).where('owner', '=', owner)
    const [released] = await own.returning('projectId').execute()
    if (released === undefined) return
    // Otherwise the job records the change that this call could not record.
    const pending = await selectPendingChanges(ctx, projectId).select('id').executeTakeFirst()
    if (pending !== undefined) return
    await cancel(ctx, 'repository.recover', String(projectId))
  })

/** The last call of this process for each project, by platform, so that only one of them waits by asking the database. */
const lastCalls = new WeakMap<object, Map<number, Promise<void>>>()

/** Waits for earlier calls of this process. Returns a function that lets the next one in. */
const waitForTurn = async (platform: object, projectId: number, deadline: number): Promise<() => void> => {
  const calls = lastCalls.get(platform) ?? new Map<number, Promise<void>>()
  lastCalls.set(platform, calls)
  const previous = calls.get(projectId)
  const { promise, resolve } = Promise.withResolvers<void>()
  const turn = previous === undefined ? promise : previous.then(() => promise)
  calls.set(projectId, turn)
  const leave = () => {
    resolve()
    if (calls.get(projectId) === turn) calls.delete(projectId)
  }
  const timeout = new AbortController()
  const late = pause(deadline - performance.now(), true, { signal: timeout.signal }).catch(() => false)
  const isLate = previous !== undefined && (await Promise.race([previous.then(() => false), late]))
  timeout.abort()
  if (!isLate) return leave
  leave()
  throw lockedError()
}

/**
 * Runs `work` while no other call of any process changes the repository of a project. The lock is a row with a lease, because
 * sessions of a database can be shared or end. Writes of `work` fail if another process has taken the lock meanwhile. `recover`
 * runs before `work` if the previous holder has ended without releasing it.
 *
 * @throws PlatformError `unavailable` if the lock is not free within 20 seconds, or was lost
 */
export async function withRepositoryLock<T>(
  writer: RepositoryWriter,
  projectId: number,
  {
    recover,
    work,
  }: {
    readonly recover: (writer: RepositoryWriter) => Promise<void>
    readonly work: (writer: RepositoryWriter) => Promise<T>
  },
): Promise<T> {
  const deadline = performance.now() + waitTime
  const leave = await waitForTurn(writer.ports.repositories, projectId, deadline)
  const owner = `${randomUUID()}${ownerSeparator}${getProcessIdentity()}`
  let timer: NodeJS.Timeout | undefined
  try {
    const outcome = await acquire(writer, projectId, owner, deadline)
    // A renewal that fails is repeated; the lock is lost when all of them fail for the length of a lease.
    const renewOnce = () => writer.write((ctx) => renew(ctx, projectId, owner)).catch(() => undefined)
    timer = setInterval(() => void renewOnce(), renewalInterval).unref()
    const fenced: RepositoryWriter = {
      ports: writer.ports,
      write: (work) =>
        writer.write(async (ctx) => {
          await renew(ctx, projectId, owner)
          return work(ctx)
        }),
    }
    if (outcome === 'taken over') await recover(fenced)
    return await work(fenced)
  } finally {
    clearInterval(timer)
    // Otherwise the lease expires, and the job repairs the repository.
    await release(writer, projectId, owner).catch(() => undefined)
    leave()
  }
}
