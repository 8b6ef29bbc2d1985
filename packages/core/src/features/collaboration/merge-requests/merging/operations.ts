import * as v from 'valibot'
import { project } from '../../../../access/subjects.ts'
import type { Subjects } from '../../../../contract/subjects.ts'
import type { Context } from '../../../../kernel/context.ts'
import { afterTransaction, type TransactionRunner } from '../../../../kernel/deferred.ts'
import { conflict, forbidden, invalid } from '../../../../kernel/errors.ts'
import { command } from '../../../../kernel/operation.ts'
import { readViewerAccess } from '../../../code/protected-references/reference-access.ts'
import { mayPushToFork } from '../../../code/repository/collaboration.ts'
import { openRepository } from '../../../code/repository/opened-repository.ts'
import { findGitRepository, isRepositoryShared } from '../../../code/repository/queries.ts'
import { changeRepository } from '../../../code/repository/writable-repository.ts'
import { cancelAutoMerge } from '../auto-merge.ts'
import { readDetails } from '../changes/details.ts'
import { readHead } from '../changes/head.ts'
import { storeVersion } from '../changes/queries.ts'
import { type NewVersion, readFirstVersion, refresh } from '../changes/refresh.ts'
import { assertSourceTip } from '../changes/source-tip.ts'
import { insertMergeRequest, loadTargetProject, newMergeRequestInput } from '../creation.ts'
import { isFromFork, type MergeRequestDetails, type Rebase } from '../merge-request.ts'
import { findMergeRequest } from '../queries.ts'
import { findSourceProject } from '../source-project.ts'
import { mergeRequest } from '../subject.ts'
import { findMerger, mergeInRepository, recordMerge } from './merge.ts'
import { notMergeableError } from './merge-errors.ts'
import { assertMergeable } from './merge-input.ts'
import { rebaseInRepository } from './rebase.ts'
import { storeAutoMerge, waitForPipeline } from './wait-for-pipeline.ts'

const Message = v.optional(v.pipe(v.string(), v.maxLength(100_000)))

const mergeInput = {
  /** Message of the merge commit, at most 100,000 characters. Default: from the template of the project. */
  mergeCommitMessage: Message,
  /** Message of the squash commit, at most 100,000 characters. Default: from the template of the project. */
  squashCommitMessage: Message,
  /** Whether to combine the commits of the source branch, if the project permits a choice. Default: as the merge request says. */
  squash: v.optional(v.boolean()),
  /** Whether to remove the source branch. Default: as the merge request says. */
  shouldRemoveSourceBranch: v.optional(v.boolean()),
  /** The expected head of the source branch, a full hexadecimal SHA. Fails with `conflict` for another head. */
  sha: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /**
   * Whether to merge once the running pipeline of the merge request succeeds. Without one, the merge happens at once. It ends
   * without a merge when the target branch, the source branch or the approvals change, when the merge request is closed, or if the
   * caller may no longer merge at that time.
   */
  autoMerge: v.optional(v.boolean()),
  /** The former name of `autoMerge`. */
  mergeWhenPipelineSucceeds: v.optional(v.boolean()),
}

/** Reads the branches of a merge request after a change, and returns it. */
const refreshDetails = async (
  { read, write }: TransactionRunner,
  subject: Subjects['mergeRequest'],
): Promise<MergeRequestDetails> => {
  await refresh({ write }, await read((ctx) => readHead(ctx, subject)))
  return read((ctx) => readDetails(ctx, subject))
}

/** The subject with the current state of its merge request. */
const reloadSubject = async (ctx: Context, { project, access }: Subjects['project'], iid: number) => {
  const record = await findMergeRequest(ctx, project.id, iid)
  if (record === undefined) throw conflict('The merge request was removed')
  return { kind: 'mergeRequest', project, access, mergeRequest: record } as const
}

/** The part of `mergeRequests` that reads and changes repositories. */
export const mergingOperations = {
  /**
   * Opens a merge request from a branch of the project into another branch, also into one of another project of the same fork
   * network, to which it then belongs. Fails with `conflict` if an open one has the same branches, with `invalid` if a branch is
   * missing in its repository, except for the host application, and with `unprocessable` if neither project is a fork of the other
   * one or of the same project.
   */
  create: command({
    on: project,
    can: 'mergeRequest.create',
    serializes: 'project',
    input: newMergeRequestInput,
    async run(ctx, input, subject) {
      const target = await loadTargetProject(ctx, subject, input)
      const isFork = target.project.id !== subject.project.id
      const opened = await openRepository(ctx, target)
      const targetRepository = opened?.repository
      const isShared = await isRepositoryShared(ctx, target.project.id)
      const sourceRepository = isFork ? await findGitRepository(ctx, subject.project.id) : targetRepository
      const hasRepository = sourceRepository !== undefined || targetRepository !== undefined
      const insert = async (later: Context, first?: NewVersion) => {
        const { iid } = await insertMergeRequest(
          later,
          input,
          { source: subject.project, target },
          {
            mergeStatus: hasRepository ? 'unchecked' : 'can_be_merged',
            storeHead: async (at, id) => first && storeVersion(at, id, first.range, first.shas),
          },
        )
        return reloadSubject(later, target, iid)
      }
      // The transaction of the call excludes commands of the source project only.
      if (!hasRepository && !isFork) return readDetails(ctx, await insert(ctx))
      const isHost = ctx.actor.kind === 'system'
      const { sourceBranch, targetBranch = target.project.defaultBranch } = input
      return afterTransaction(async (runner): Promise<MergeRequestDetails> => {
        const [sourceTip, targetTip] = await Promise.all([
          sourceRepository?.branch(sourceBranch),
          targetRepository?.branch(targetBranch),
        ])
        if (hasRepository && !isHost) {
          if (sourceTip === undefined) throw invalid({ sourceBranch: ['does not exist'] })
          if (targetTip === undefined) throw invalid({ targetBranch: ['does not exist'] })
        }
        // The first event contains the head. The commits of a fork are copied before; a shared repository must not change.
        const isReadable = sourceTip !== undefined && opened !== undefined && !(isFork && isShared)
        if (isReadable && isFork && sourceRepository)
          await opened.repository.fetchObjects({ from: sourceRepository.directory, commit: sourceTip })
        const first = isReadable ? await readFirstVersion(opened, targetBranch, sourceTip) : undefined
        const created = await runner.write(async (later) => {
          await later.lockContainer({ kind: 'project', ...target.project })
          return insert(later, first)
        })
        return refreshDetails(runner, created)
      })
    },
  }),

  /**
   * Merges the source branch into the target branch, by the merge method and squash option of the project. Without a
   * repository, records the merge only; the host application also records merges of branches that are missing or contain
   * the changes already. Fails with `conflict` if the merge request is not open, a draft, or lacks approvals or resolved
   * discussions that the project requires, and with `unprocessable` if git cannot merge the branches.
   */
  merge: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    input: mergeInput,
    async run(ctx, options, subject) {
      const access = await readViewerAccess(ctx, subject.project)
      if (!access.canMerge(subject.mergeRequest.targetBranch))
        throw forbidden('You are not allowed to merge into this protected branch.')
      const waits = options.autoMerge ?? options.mergeWhenPipelineSucceeds ?? false
      const { mustWait } = await assertMergeable(ctx, subject.mergeRequest, { waits })
      const head = await readHead(ctx, subject)
      if (head.opened === undefined) {
        assertSourceTip(null, options.sha)
        if (mustWait) await storeAutoMerge(ctx, subject.mergeRequest, options, null)
        else await recordMerge(ctx, subject)
        return readDetails(ctx, subject)
      }
      const { ports, now } = ctx
      const merger = await findMerger(ctx, subject.mergeRequest.authorId)
      return afterTransaction(async (runner): Promise<MergeRequestDetails> => {
        const { read, write } = runner
        if (mustWait && (await waitForPipeline(runner, subject.mergeRequest, { head, options })))
          return read((later) => readDetails(later, subject))
        await changeRepository({ ports, write }, subject.project.id, (writer) =>
          mergeInRepository(writer, { subject, head, merger, options, now }),
        )
        return read((later) => readDetails(later, subject))
      })
    },
  }),

  /**
   * Cancels the automatic merge: the success of the pipeline no longer merges the merge request.
   *
   * @throws PlatformError `conflict` if it is not set to merge automatically
   */
  cancelAutoMerge: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    serializes: 'project',
    async run(ctx, _, subject) {
      if (!subject.mergeRequest.mergeWhenPipelineSucceeds || subject.mergeRequest.state !== 'opened')
        throw notMergeableError('The merge request does not wait for a pipeline')
      await cancelAutoMerge(ctx, subject.mergeRequest)
      return readDetails(ctx, subject)
    },
  }),

  /**
   * Rebases the source branch onto the target branch, before the call returns. The merge request contains the reason of a
   * failure. Merge commits are left out. Fails with `forbidden` if the source branch is missing
   * or protected.
   */
  rebase: command({
    on: mergeRequest,
    can: 'mergeRequest.merge',
    input: {
      /** Whether the push of the rebased commits has the option `ci.skip`, with which pipelines of pushes have the status `skipped`. */
      skipCi: v.optional(v.boolean()),
    },
    async run(ctx, { skipCi = false }, subject) {
      if (subject.mergeRequest.state !== 'opened') throw notMergeableError('Only an open merge request can be rebased')
      const source = await findSourceProject(ctx, subject)
      if (source === undefined) throw forbidden('Source branch does not exist', 'source_branch')
      if (isFromFork(subject.mergeRequest) && !(await mayPushToFork(ctx, source, subject.mergeRequest.sourceBranch)))
        throw forbidden('Cannot push to source branch', 'source_branch')
      const access = await readViewerAccess(ctx, source)
      if (!access.canForcePush(subject.mergeRequest.sourceBranch))
        throw forbidden('Source branch is protected from force push', 'source_branch')
      const head = await readHead(ctx, subject)
      const { ports, now } = ctx
      const rebaser = await findMerger(ctx, subject.mergeRequest.authorId)
      return afterTransaction(async (runner): Promise<Rebase> => {
        if ((await head.source?.branch(subject.mergeRequest.sourceBranch)) === undefined)
          throw forbidden('Source branch does not exist', 'source_branch')
        const mergeError = await changeRepository({ ports, write: runner.write }, source.id, (writer) =>
          rebaseInRepository(writer, { subject, sourceProjectId: source.id, head, rebaser, skipCi, now }),
        )
        await runner.write((later) =>
          later.db.updateTable('mergeRequest').set({ mergeError }).where('id', '=', subject.mergeRequest.id).execute(),
        )
        await refreshDetails(
          runner,
          await runner.read((later) => reloadSubject(later, { ...subject, kind: 'project' }, subject.mergeRequest.iid)),
        )
        return { mergeError }
      })
    },
  }),
}
