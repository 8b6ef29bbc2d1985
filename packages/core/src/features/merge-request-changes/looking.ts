import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Steps } from '../../kernel/outside.ts'
import type { MergeRequestRecord } from '../merge-requests/merge-request.ts'
import type { Project } from '../projects/project.ts'
import { type OpenedRepository, openRepository } from '../repository/opened-repository.ts'
import { toComparison } from '../repository/repository.ts'
import { newestVersion, storeVersion } from './queries.ts'
import type { MergeRequestVersion } from './version.ts'

/** A merge request as it was read, before its repository is looked at. */
export interface Glance {
  readonly mergeRequest: MergeRequestRecord
  readonly opened: OpenedRepository | undefined
  /** The version that was written down last. */
  readonly known: MergeRequestVersion | undefined
}

export const glance = async (
  ctx: Context,
  { project, access, mergeRequest }: { project: Project; access: number; mergeRequest: MergeRequestRecord },
): Promise<Glance> => ({
  mergeRequest,
  opened: await openRepository(ctx, { kind: 'project', project, access }),
  known: await newestVersion(ctx, mergeRequest.id),
})

/** Where a merge request lies now: undefined while a branch is missing, or when the histories never met. */
const ends = async (
  { repository, abortable }: OpenedRepository,
  { sourceBranch, targetBranch }: MergeRequestRecord,
) => {
  const [startSha, headSha] = await Promise.all([repository.branch(targetBranch), repository.branch(sourceBranch)])
  if (startSha === undefined || headSha === undefined) return undefined
  const baseSha = await repository.mergeBase([startSha, headSha], abortable)
  return baseSha === undefined ? undefined : { baseSha, startSha, headSha }
}

/** What the target branch has taken in already is seen from where the target stood when somebody last looked. */
const beforeMerging = async (
  { repository, abortable }: OpenedRepository,
  found: { baseSha: string; startSha: string; headSha: string },
  { startCommitSha, headCommitSha }: MergeRequestVersion,
) => {
  if (found.headSha === headCommitSha) return undefined
  const baseSha = await repository.mergeBase([startCommitSha, found.headSha], abortable)
  return baseSha === undefined || baseSha === found.headSha
    ? undefined
    : { baseSha, startSha: startCommitSha, headSha: found.headSha }
}

/** What has changed since the version that is known, if anything. What is closed or merged stays as it was. */
const moved = async ({ mergeRequest, opened, known }: Glance) => {
  if (opened === undefined || (known !== undefined && mergeRequest.state !== 'opened')) return undefined
  const found = await ends(opened, mergeRequest)
  if (found === undefined) return undefined
  if (found.baseSha === found.headSha && known !== undefined) return beforeMerging(opened, found, known)
  return known?.baseCommitSha === found.baseSha && known.headCommitSha === found.headSha ? undefined : found
}

/** The commits and files of a version, oldest commit first. */
export const contentOf = async (
  { repository, abortable }: OpenedRepository,
  { baseCommitSha: from, headCommitSha: to }: Pick<MergeRequestVersion, 'baseCommitSha' | 'headCommitSha'>,
) => toComparison(await repository.compare({ from, to, ...abortable }), from === to)

/**
 * The version of a merge request as its branches stand now; one that nobody has seen before is written down with its
 * commits. Undefined while a branch is missing.
 */
export async function look({ write }: Pick<Steps, 'write'>, found: Glance): Promise<MergeRequestVersion | undefined> {
  const { opened, known, mergeRequest } = found
  const now = await moved(found)
  if (now === undefined || opened === undefined) return known
  const ends = { baseCommitSha: now.baseSha, startCommitSha: now.startSha, headCommitSha: now.headSha }
  const { commits } = await contentOf(opened, ends)
  const shas = commits.map(({ id }) => id)
  return write((ctx) => storeVersion(ctx, mergeRequest.id, ends, shas))
}

/** A version and what it holds. `not_found` while a branch is missing. */
export async function looked(steps: Pick<Steps, 'write'>, found: Glance) {
  const version = await look(steps, found)
  if (version === undefined || found.opened === undefined) return undefined
  return { version, ...(await contentOf(found.opened, version)) }
}

/** Likewise for one that has to be there. */
export const present = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound('')
  return found
}
