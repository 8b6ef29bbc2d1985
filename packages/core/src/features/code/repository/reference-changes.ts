import { setImmediate as nextTurn } from 'node:timers/promises'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { PushCause } from '../../../contract/push-cause.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, invalid } from '../../../kernel/errors.ts'
import type { Handle } from '../../../kernel/store.ts'
import type { ReferenceUpdate, Repository } from '../../../ports/git.ts'
import { type ReferenceAccess, readReferenceAccess } from '../protected-references/reference-access.ts'
import { findPushRuleRefusal, type PushCheck, readPushCheck } from '../push-rules/push-check.ts'
import { findMovedHeads, moveHeads } from './merge-request-references.ts'
import type { PushRecord } from './push.ts'
import { emitPushes, readPushRecords } from './push-records.ts'
import { measurePushes } from './push-volume.ts'
import { selectPendingChanges } from './queries.ts'
import type { ReferenceMove } from './reference-move.ts'
import { assertMovesAllowed, findCheckoutRefusal, findNewNameRefusal } from './reference-rules.ts'
import type { RepositoryWriter } from './repository-lock.ts'
import { readSummary, storeSummary } from './repository-summary.ts'

/** A change of references that is not recorded yet, and who makes it. */
interface PendingChange {
  readonly id: number
  readonly moves: readonly ReferenceMove[]
  /** Null: the host, without activity of a user. */
  readonly userId: number | null
  readonly cause: PushCause | null
  readonly pushOptions: readonly string[] | null
}

/** Stores the moves that follow, in one transaction with `withStore`. Call it before the references move. */
export type AnnounceMoves = (
  updates: readonly ReferenceUpdate[],
  withStore?: (ctx: Context) => Promise<unknown>,
) => Promise<void>

interface ReferenceChange<T> {
  readonly userId: number | null
  /** Why the references move, if it is more than a push. */
  readonly cause?: PushCause
  /** Options that the client of git has sent. */
  readonly pushOptions?: readonly string[]
  /** The rules that are left to check, as the current user has read them under the lock. Default: those that apply to the user. */
  readonly rules?: ChangeRules
  /** Changes the references. */
  readonly apply: (announce: AnnounceMoves) => Promise<T>
}

/** What decides whether references may change; without a rule, everything is permitted. */
export interface ChangeRules {
  readonly access?: ReferenceAccess | undefined
  readonly pushRule?: PushCheck | undefined
}

/** The rules that apply to a user; with null, to the host. */
export const readChangeRules = async (
  ctx: Context,
  project: Pick<Project, 'id' | 'namespaceId'>,
  userId: number | null,
) => ({
  access: await readReferenceAccess(ctx, project, userId),
  pushRule: await readPushCheck(ctx, project.id, userId),
})

/** Updates references after they are announced. */
export const updateAnnounced =
  (repository: Repository, updates: readonly ReferenceUpdate[], withStore?: (ctx: Context) => Promise<unknown>) =>
  async (announce: AnnounceMoves): Promise<void> => {
    await announce(updates, withStore)
    await repository.updateReferences(updates)
  }

const toMove = ({ name, from, to }: ReferenceUpdate): ReferenceMove => ({
  ref: name,
  before: from ?? null,
  after: to ?? null,
})

/** Branches and tags are recorded, other references such as notes of git are not. */
const isRecorded = ({ ref }: ReferenceMove) => /^refs\/(heads|tags)\//.test(ref)

/** The moves of references that have the value that `getValue` returns. */
const filterByValue = async (
  repository: Repository,
  moves: readonly ReferenceMove[],
  getValue: (move: ReferenceMove) => string | null,
) => {
  const current = await Promise.all(moves.map(async ({ ref }) => (await repository.reference(ref)) ?? null))
  return moves.filter((move, index) => move.before !== move.after && current[index] === getValue(move))
}

/**
 * The moves that git can make. Others fail, and their references can have the new value already, because a client repeated its
 * push: they must not count as made by this change.
 */
const findPossibleMoves = (repository: Repository, moves: readonly ReferenceMove[]) =>
  filterByValue(repository, moves, ({ before }) => before)

/** The moves that git has made. Others were rejected, or were interrupted before. */
const findAppliedMoves = (repository: Repository, moves: readonly ReferenceMove[]) =>
  filterByValue(repository, moves, ({ after }) => after)

/** Removes a change. Returns false if it was removed before. */
const dropChange = async ({ db }: Handle, id: number): Promise<boolean> => {
  const dropped = await db.deleteFrom('referenceChange').where('id', '=', id).returning('id').execute()
  return dropped.length > 0
}

/** Moves that one transaction records, so that a push of thousands of branches lets other calls pass. */
const movesOfTransaction = 50

/** Keeps moves that are still to be recorded; without any, removes the change. Returns false if it was removed before. */
const keepMoves = async (ctx: Handle, id: number, moves: readonly ReferenceMove[]): Promise<boolean> => {
  if (moves.length === 0) return dropChange(ctx, id)
  const kept = await ctx.db.updateTable('referenceChange').set({ moves }).where('id', '=', id).returning('id').execute()
  return kept.length > 0
}

/**
 * Records the moves that git has made, each in the transaction that removes it from the change. Does nothing for a recorded change.
 */
const recordChange = async (
  { write }: RepositoryWriter,
  repository: Repository,
  projectId: number,
  { id, moves, userId, cause, pushOptions }: PendingChange,
): Promise<readonly PushRecord[]> => {
  const applied = await findAppliedMoves(repository, moves)
  if (applied.length === 0) {
    await write((ctx) => dropChange(ctx, id))
    return []
  }
  // Each takes git processes of its own.
  const [pushes, summary] = await Promise.all([
    readPushRecords(repository, applied),
    readSummary(write, repository, projectId),
  ])
  const volumes = measurePushes(pushes)
  for (let start = 0; start < pushes.length; start += movesOfTransaction) {
    const end = start + movesOfTransaction
    // On SQLite, transactions that follow each other do not leave the turn of the event loop.
    if (start > 0) await nextTurn()
    const heads = await write(async (ctx) => {
      if (start === 0) await storeSummary(ctx, projectId, summary)
      const part = { cause, pushOptions: pushOptions ?? [], volumes: volumes.slice(start, end) }
      if (await keepMoves(ctx, id, applied.slice(end)))
        await emitPushes(ctx, projectId, userId, pushes.slice(start, end), part)
      return findMovedHeads(ctx, projectId, applied.slice(start, end))
    })
    await moveHeads(repository, heads)
  }
  return pushes
}

/** The access of a user; undefined for the host, which may do everything. */
const readAccess = async (ctx: Context, projectId: number, userId: number | null) => {
  const project = userId === null ? undefined : await findProject(ctx, projectId)
  return project && readReferenceAccess(ctx, project, userId)
}

/** @throws PlatformError `invalid` if the push rule does not allow an update */
const assertRuleAllows = async (
  { write }: RepositoryWriter,
  repository: Repository,
  pushRule: PushCheck,
  updates: readonly ReferenceUpdate[],
) => {
  for (const update of updates) {
    const refusal = await findPushRuleRefusal(repository, pushRule, update, write)
    if (refusal !== undefined) throw invalid(refusal)
  }
}

/**
 * Changes references and records them as pushes, exactly once: the moves are stored before git makes them. If this process ends
 * in between, the next change of the repository or the job `repository.recover` records those that git has made. The current user
 * holds the lock of the repository.
 *
 * @throws PlatformError `invalid` if the push rule, and `forbidden` if a rule of a protected branch or tag does not allow a move
 */
export const changeReferences = async <T>(
  writer: RepositoryWriter,
  repository: Repository,
  projectId: number,
  { userId, cause, pushOptions = [], rules, apply }: ReferenceChange<T>,
): Promise<{ readonly result: T; readonly pushes: readonly PushRecord[] }> => {
  let change: PendingChange | undefined
  const announce: AnnounceMoves = async (updates, withStore) => {
    const checkedOut = await repository.checkedOutBranches()
    for (const update of updates) {
      const refusal = findNewNameRefusal(update)
      if (refusal !== undefined) throw invalid(refusal)
      const checkoutRefusal = findCheckoutRefusal(checkedOut, update)
      if (checkoutRefusal !== undefined) throw conflict(checkoutRefusal)
    }
    const pushRule = rules ? rules.pushRule : await writer.write((ctx) => readPushCheck(ctx, projectId, userId))
    if (pushRule) await assertRuleAllows(writer, repository, pushRule, updates)
    const moves = await findPossibleMoves(repository, updates.map(toMove).filter(isRecorded))
    const options = pushOptions.length ? pushOptions : null
    const pending = { projectId, userId, moves, cause: cause ?? null, pushOptions: options }
    change = await writer.write(async (ctx) => {
      const access = rules ? rules.access : await readAccess(ctx, projectId, userId)
      if (access) assertMovesAllowed(access, moves, cause)
      const row = await ctx.db
        .insertInto('referenceChange')
        .values({ ...pending, createdAt: ctx.now } satisfies CompleteRow<'referenceChange'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await withStore?.(ctx)
      return { ...pending, id: row.id }
    })
  }
  const record = async () => (change === undefined ? [] : recordChange(writer, repository, projectId, change))
  let result: T
  try {
    result = await apply(announce)
  } catch (error) {
    // Git can have moved references before it failed. If this fails too, the change stays pending.
    await record().catch(() => undefined)
    throw error
  }
  return { result, pushes: await record() }
}

/** Records the changes of processes that have ended. The caller holds the lock of the repository. */
export const recordPendingChanges = async (
  writer: RepositoryWriter,
  projectId: number,
  open: () => Promise<Repository | undefined>,
): Promise<void> => {
  const pending = await writer.write((ctx) =>
    selectPendingChanges(ctx, projectId).select(['id', 'moves', 'userId', 'cause', 'pushOptions']).execute(),
  )
  if (pending.length === 0) return
  const repository = await open()
  if (repository === undefined) return
  for (const change of pending) await recordChange(writer, repository, projectId, change)
}
