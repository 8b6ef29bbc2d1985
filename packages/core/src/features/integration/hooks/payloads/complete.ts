import type { Context } from '../../../../kernel/context.ts'
import { isPlatformError } from '../../../../kernel/errors.ts'
import type { Commit, Repository } from '../../../../ports/git.ts'
import { findGitRepository } from '../../../code/repository/queries.ts'
import type { HookPayload } from '../delivery.ts'
import type { EventKind } from '../event-kinds.ts'

/** The commits of a push that its event contains: the newest ones. */
const maxCommits = 20

type Completer = (
  repository: Repository,
  payload: HookPayload,
  signal: AbortSignal,
  /** Finds the repository of another project. */
  findRepository: (projectId: number) => Promise<Repository | undefined>,
) => Promise<HookPayload>

const toProject = (payload: HookPayload) => payload.project as { readonly id: number; readonly web_url: string }

/** A commit in payloads. */
const buildCommit = ({ web_url: url }: { readonly web_url: string }, commit: Commit): HookPayload => ({
  id: commit.id,
  message: commit.message,
  title: commit.title,
  timestamp: commit.authoredAt,
  url: `${url}/-/commit/${commit.id}`,
  author: { name: commit.author.name, email: commit.author.email },
})

const readFiles = async (repository: Repository, id: string, signal: AbortSignal): Promise<HookPayload> => {
  const diffs = await repository.commitDiffs(id, { maximumPatchBytes: 0, signal })
  const paths = (select: (diff: (typeof diffs)[number]) => boolean) =>
    diffs.filter(select).map(({ newPath }) => newPath)
  return {
    added: paths(({ isNew }) => isNew),
    modified: paths(({ isNew, isDeleted }) => !isNew && !isDeleted),
    removed: diffs.filter(({ isDeleted }) => isDeleted).map(({ oldPath }) => oldPath),
  }
}

const completePush: Completer = async (repository, payload, signal) => {
  const { before, checkout_sha: tip, total_commits_count: count } = payload as Readonly<Record<string, unknown>>
  if (typeof tip !== 'string' || !Number(count)) return payload
  const exclude = /^0+$/.test(String(before)) ? [] : [String(before)]
  const limit = Math.min(Number(count), maxCommits)
  const ids = await repository.listCommits({ tips: [tip], exclude, offset: 0, limit, signal })
  const commits: HookPayload[] = []
  for (const id of ids.toReversed()) {
    const commit = await repository.commit(id)
    if (commit)
      commits.push({ ...buildCommit(toProject(payload), commit), ...(await readFiles(repository, id, signal)) })
  }
  return { ...payload, commits }
}

interface PayloadMergeRequest {
  readonly source_project_id?: number | null
  readonly last_commit?: { readonly id: string } | null
}

/** Completes the commit of the property with this name. */
const completeLastCommit =
  (name: string): Completer =>
  async (repository, payload, _signal, findRepository) => {
    const mergeRequest = payload[name] as PayloadMergeRequest | undefined
    if (!mergeRequest?.last_commit) return payload
    const { source_project_id: sourceId, last_commit: known } = mergeRequest
    const ownCommit = await repository.commit(known.id)
    // A job copies the commits of forks, perhaps later.
    const commit = ownCommit ?? (sourceId ? await (await findRepository(sourceId))?.commit(known.id) : undefined)
    return commit
      ? { ...payload, [name]: { ...mergeRequest, last_commit: buildCommit(toProject(payload), commit) } }
      : payload
  }

const completeJobCommit: Completer = async (repository, payload) => {
  const { commit: known } = payload as { readonly commit: { readonly sha: string } }
  const commit = await repository.commit(known.sha)
  if (commit === undefined) return payload
  const { message, author } = commit
  return { ...payload, commit: { ...known, message, author_name: author.name, author_email: author.email } }
}

const completeCommit: Completer = async (repository, payload) => {
  const { commit: known } = payload as { readonly commit?: { readonly id: string } | null }
  const commit = known ? await repository.commit(known.id) : undefined
  return commit ? { ...payload, commit: buildCommit(toProject(payload), commit) } : payload
}

const completeMergeRequest = completeLastCommit('merge_request')

/** The commit of a comment on a merge request or on a commit. */
const completeNote: Completer = async (repository, payload, ...rest) =>
  completeCommit(repository, await completeMergeRequest(repository, payload, ...rest), ...rest)

/** The parts of payloads that are read from the repository. */
const completers: Partial<Readonly<Record<EventKind, Completer>>> = {
  push: completePush,
  mergeRequest: completeLastCommit('object_attributes'),
  note: completeNote,
  confidentialNote: completeMergeRequest,
  release: completeCommit,
  pipeline: completeCommit,
  job: completeJobCommit,
}

/** Whether payloads of events of this kind have parts that are read from the repository. */
export const needsRepository = (kind: EventKind): boolean => completers[kind] !== undefined

interface Event {
  readonly kind: EventKind
  readonly payload: HookPayload
  readonly isComplete: boolean
}

/**
 * Adds commits to a payload before it is sent first, outside transactions. A repository or commit that is gone leaves the payload
 * as it is.
 */
export const completePayload = async (
  write: <T>(work: (ctx: Context) => Promise<T>) => Promise<T>,
  { kind, payload, isComplete }: Event,
  signal: AbortSignal,
): Promise<HookPayload> => {
  const complete = completers[kind]
  if (!complete || isComplete) return payload
  const findRepository = (projectId: number) => write((ctx) => findGitRepository(ctx, projectId))
  const repository = await findRepository(toProject(payload).id)
  if (!repository) return payload
  try {
    return await complete(repository, payload, signal, findRepository)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return payload
    throw error
  }
}
