import type { Project } from '../../../../contract/project.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { Repository } from '../../../../ports/git.ts'
import type { Ports } from '../../../../ports/ports.ts'
import { type OpenedRepository, openRepository } from '../../../code/repository/opened-repository.ts'
import { findGitRepository, isRepositoryShared } from '../../../code/repository/queries.ts'
import type { MergeRequestRecord } from '../merge-request.ts'
import { type BranchCheck, findCheck } from './check-queries.ts'
import { findNewestVersion } from './queries.ts'
import type { MergeRequestVersion } from './version.ts'

/** A merge request as read from the database, before its repository is read. */
export interface MergeRequestHead {
  readonly mergeRequest: MergeRequestRecord
  readonly ports: Ports
  /** Whether other databases use the repository, so that it must be copied before it changes. */
  readonly isShared: boolean
  readonly opened: OpenedRepository | undefined
  /** The repository with the source branch: that of the project, or of a fork. */
  readonly source: Repository | undefined
  /** The newest stored version. */
  readonly storedVersion: MergeRequestVersion | undefined
  /** The last comparison of the branches. */
  readonly storedCheck: BranchCheck | undefined
}

export const readHead = async (
  ctx: Context,
  { project, mergeRequest }: { project: Project; mergeRequest: MergeRequestRecord },
): Promise<MergeRequestHead> => ({
  mergeRequest,
  ports: ctx.ports,
  isShared: await isRepositoryShared(ctx, project.id),
  opened: await openRepository(ctx, { project }),
  source:
    mergeRequest.sourceProjectId === null ? undefined : await findGitRepository(ctx, mergeRequest.sourceProjectId),
  storedVersion: await findNewestVersion(ctx, mergeRequest.id),
  storedCheck: await findCheck(ctx, mergeRequest.id),
})
