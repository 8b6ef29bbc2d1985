import type { Project } from '../../../contract/project.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import type { ReferenceUpdate, Repository } from '../../../ports/git.ts'
import { readReferenceAccess } from '../protected-references/reference-access.ts'
import { findPushRuleRefusal } from '../push-rules/push-check.ts'
import { changeReferences, readChangeRules } from '../repository/reference-changes.ts'
import { findCheckoutRefusal, findNameRefusal, findObjectRefusal } from '../repository/reference-rules.ts'
import type { RepositoryWriter } from '../repository/repository-lock.ts'
import { changeRepository, openOrCreateForWriting } from '../repository/writable-repository.ts'
import { formatPushReport } from './push-report.ts'
import { type PushRequest, readPushRequest } from './push-request.ts'

export interface Push {
  readonly project: Project
  /** The only branches that the user may update; undefined for all. */
  readonly branches: ReadonlySet<string> | undefined
  /** Null: the host, without activity of a user. */
  readonly userId: number | null
  /** The request of the client. */
  readonly body: AsyncIterable<Uint8Array>
  /** Whether the client sends nothing more, but does not end its stream, after the request. */
  readonly isOpenEnded?: boolean
  /** Bytes of the pack; undefined for no limit. */
  readonly maximumBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/** The references that cannot be changed, with the reasons. */
type Refusals = Map<ReferenceUpdate, string>

/** Members of the target project of a merge request update its source branch only: they create and delete nothing. */
const findForeignRefusal = ({ branches }: Push, { name, from, to }: ReferenceUpdate): string | undefined => {
  if (branches === undefined) return undefined
  const isAllowed = from !== undefined && to !== undefined && branches.has(name.replace(/^refs\/heads\//, ''))
  return isAllowed && name.startsWith('refs/heads/') ? undefined : 'You are not allowed to push code to this project.'
}

/** With `atomic`, one refused reference refuses all others. */
const refuseRest = (request: PushRequest, refusals: Refusals) => {
  if (refusals.size === 0 || !request.capabilities.has('atomic')) return
  for (const update of request.updates) {
    if (!refusals.has(update)) refusals.set(update, 'atomic push failed')
  }
}

const accept = ({ updates }: PushRequest, refusals: Refusals) => updates.filter((update) => !refusals.has(update))

/** Stores the objects. Returns why git rejects them; undefined if they are stored. */
const receiveObjects = async (
  repository: Repository,
  { pack }: PushRequest,
  accepted: readonly ReferenceUpdate[],
  { isOpenEnded, maximumBytes, signal }: Push,
): Promise<string | undefined> => {
  const tips = [...new Set(accepted.flatMap(({ to }) => (to === undefined ? [] : [to])))]
  try {
    await repository.receiveObjects({
      pack,
      tips,
      maximumBytes,
      ...(isOpenEnded && { isOpenEnded }),
      ...(signal && { signal }),
    })
    return undefined
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'rejected_pack') return error.message
    throw error
  }
}

/** Moves references together, or else each on its own, so that a conflict of one does not refuse the others. */
const moveReferences = async (
  repository: Repository,
  updates: readonly ReferenceUpdate[],
  isAtomic: boolean,
  refusals: Refusals,
) => {
  const move = async (group: readonly ReferenceUpdate[]) => {
    try {
      await repository.updateReferences(group)
    } catch (error) {
      if (!isPlatformError(error)) throw error
      if (group.length > 1 && !isAtomic) for (const update of group) await move([update])
      else for (const update of group) refusals.set(update, error.message)
    }
  }
  await move(updates)
}

const applyUpdates = async (writer: RepositoryWriter, request: PushRequest, refusals: Refusals, push: Push) => {
  const { project, userId } = push
  const repository = await openOrCreateForWriting(writer, project)
  // Read again: the upload of the objects can take minutes.
  const { access, pushRule } = await writer.write((ctx) => readChangeRules(ctx, project, userId))
  const checkedOut = await repository.checkedOutBranches()
  for (const update of accept(request, refusals)) {
    const refusal =
      findCheckoutRefusal(checkedOut, update) ??
      (await findObjectRefusal(repository, access, update)) ??
      (pushRule && (await findPushRuleRefusal(repository, pushRule, update, writer.write)))
    if (refusal !== undefined) refusals.set(update, refusal)
  }
  refuseRest(request, refusals)
  const accepted = accept(request, refusals)
  if (accepted.length === 0) return
  await changeReferences(writer, repository, project.id, {
    userId,
    pushOptions: request.options,
    rules: { access },
    apply: async (announce) => {
      await announce(accepted)
      await moveReferences(repository, accepted, request.capabilities.has('atomic'), refusals)
    },
  })
}

/** Receives the objects, and moves the references that are not refused. Returns why git rejects the objects, if it does. */
const processPush = async (
  writer: RepositoryWriter,
  request: PushRequest,
  refusals: Refusals,
  push: Push,
): Promise<string | undefined> => {
  const { project } = push
  const accepted = accept(request, refusals)
  if (accepted.length === 0) return undefined
  const repository = await changeRepository(writer, project.id, (locked) => openOrCreateForWriting(locked, project))
  const unpackError = await receiveObjects(repository, request, accepted, push)
  if (unpackError === undefined) {
    await changeRepository(writer, project.id, (locked) => applyUpdates(locked, request, refusals, push))
  } else for (const update of accepted) refusals.set(update, 'unpacker error')
  return unpackError
}

/**
 * Receives a push and returns the report for the client. The objects arrive and are checked without the
 * lock of the repository, so that a slow client does not block others; the references move under the lock.
 */
export const receivePush = async (writer: RepositoryWriter, push: Push): Promise<Buffer> => {
  const request = await readPushRequest(push.body)
  const { updates, capabilities } = request
  try {
    // git asks in this way whether its credentials are accepted, before it sends a large pack.
    if (updates.length === 0) return Buffer.alloc(0)
    const refusals: Refusals = new Map()
    const { project, userId } = push
    const access = await writer.write((ctx) => readReferenceAccess(ctx, project, userId))
    for (const update of updates) {
      const refusal = findForeignRefusal(push, update) ?? findNameRefusal(project, access, update)
      if (refusal !== undefined) refusals.set(update, refusal)
    }
    refuseRest(request, refusals)
    const unpackError = await processPush(writer, request, refusals, push)
    const results = updates.map((update) => ({ name: update.name, refusal: refusals.get(update) }))
    return formatPushReport(results, unpackError, capabilities)
  } finally {
    await request.close()
  }
}
