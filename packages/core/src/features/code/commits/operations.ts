import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { cursorInsteadOfPage, type Page, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { changeBranches, toSignature } from '../repository/branch-writer.ts'
import { CommitAction } from '../repository/commit-actions.ts'
import { openRepository } from '../repository/opened-repository.ts'
import { addFileHeader, type RepositoryDiff, toDiff } from '../repository/repository.ts'
import type { ObjectVerification } from '../repository/signatures/signature.ts'
import { verifySignature } from '../repository/signatures/verify-signature.ts'
import { findTreeEntry } from '../repository/tree-entries.ts'
import { applyCommit, cherryPick, revert } from './apply-commit.ts'
import type { CommitDetails, CommitReference, CommitSequence } from './commit.ts'
import { assertOwnStart, createCommit, startProjectInput } from './create-commit.ts'
import { importCommits, importInput } from './import-commits.ts'
import { listCommits, listInput, noCursorForAll } from './list.ts'
import { addLastPipeline, readCommits, requireCommit } from './queries.ts'

const Revision = v.pipe(v.string(), v.maxLength(1_024))
const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Message = v.pipe(v.string(), v.maxLength(1_000_000))

const shaInput = {
  /** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag of the project. */
  sha: Revision,
}

const applyInput = {
  ...shaInput,
  /** Name of the branch that receives the new commit. */
  branch: Branch,
  /** Whether to test for conflicts only, without a commit. Default: false. */
  dryRun: v.optional(v.boolean(), false),
  /** Message of the new commit. Default: refers to the original commit. */
  message: v.optional(Message),
}

/** Commits of the repositories of projects. */
export const commits = {
  /**
   * Lists the commits of a branch, tag, commit or range, newest first. Pages have no total.
   *
   * @throws PlatformError `not_found` for an unknown `refName`
   */
  list: query({
    on: project,
    can: 'code.read',
    input: listInput,
    rules: [cursorInsteadOfPage, noCursorForAll],
    run: listCommits,
  }),

  /** Gets a commit, by branch, tag or id. */
  get: query({
    on: project,
    can: 'code.read',
    input: {
      ...shaInput,
      /** Whether to add the numbers of changed lines. Default: true. */
      stats: v.optional(v.boolean(), true),
    },
    async run(ctx, { sha, stats }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (runner): Promise<CommitDetails> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const [commit] = await readCommits(found, subject.project.id, [id], { withStats: stats })
        return addLastPipeline(runner, subject, defined(commit))
      })
    },
  }),

  /** Lists the changes of a commit, one per file, compared with its first parent. */
  listDiffs: query({
    on: project,
    can: 'code.read',
    input: {
      ...pagingEntries,
      ...shaInput,
      /** Whether each difference begins with the lines `---` and `+++`, which name the file. Default: false. */
      unidiff: v.optional(v.boolean(), false),
    },
    async run(ctx, { sha, unidiff, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<Page<RepositoryDiff>> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const { maximumPatchBytes, abortable } = found
        const diffs = await found.repository.commitDiffs(id, { maximumPatchBytes, ...abortable })
        return paginateArray(diffs.map(toDiff).map(unidiff ? addFileHeader : (file) => file), paging)
      })
    },
  }),

  /**
   * Creates a commit that points a submodule of a branch to another commit.
   *
   * @throws PlatformError `invalid` for a path without a submodule, and for a submodule that already is at the commit
   */
  updateSubmodule: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Path of the submodule from the root of the repository. */
      submodule: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096)),
      /** Name of the branch that receives the commit. */
      branch: Branch,
      /** SHA of the commit in the repository of the submodule: 40 hexadecimal digits. */
      commitSha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/i, 'is not a commit SHA')),
      /** Message of the commit. Default: names the submodule and its commit. */
      commitMessage: v.optional(Message),
    },
    run(ctx, { submodule: path, branch, commitSha, commitMessage }, { project }) {
      const target = commitSha.toLowerCase()
      return changeBranches(ctx, project, async (branches): Promise<CommitDetails> => {
        const { repository, pusher } = branches
        const parent = await repository.branch(branch)
        if (parent === undefined) throw invalid('You can only create or edit files when you are on a branch')
        const entry = await findTreeEntry(repository, parent, path)
        if (entry?.type !== 'commit') throw invalid('Invalid submodule path')
        if (entry.id === target) throw invalid(`The submodule ${path} is already at ${target}`)
        const id = await branches.commit({
          branch,
          message: commitMessage || `Update submodule ${path} with oid ${target}`,
          author: toSignature(pusher, {}, ctx.now),
          parents: [parent],
          files: [{ path, submodule: target }],
        })
        const source = { repository, projectPath: project.fullPath, abortable: {} }
        return defined((await readCommits(source, project.id, [id], { withStats: true }))[0])
      })
    },
  }),

  /**
   * Gets the signature of a commit, verified with the keys that users have added. GPG signatures require the package `openpgp`.
   * Signatures of X.509 certificates and of security devices are not verified.
   *
   * @throws PlatformError `not_found` for a commit without a signature
   */
  getSignature: query({
    on: project,
    can: 'code.read',
    input: shaInput,
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (runner): Promise<ObjectVerification> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const signature = await found.repository.signature(id)
        if (signature === undefined) throw notFound('GPG Signature')
        return verifySignature(runner, { projectId: subject.project.id, id, signature })
      })
    },
  }),

  /** Counts the commits up to a commit. */
  getSequence: query({
    on: project,
    can: 'code.read',
    input: {
      ...shaInput,
      /** Whether to follow only the first parent of merges. Default: false. */
      firstParent: v.optional(v.boolean(), false),
    },
    async run(ctx, { sha, firstParent }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<CommitSequence> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const count = await found.repository.countCommits({
          commit: id,
          exclude: [],
          firstParent,
          ...found.abortable,
        })
        return { count }
      })
    },
  }),

  /** Lists the branches and tags that contain a commit, branches first. */
  listReferences: query({
    on: project,
    can: 'code.read',
    input: {
      ...pagingEntries,
      ...shaInput,
      /** Only branches or only tags. */
      type: v.optional(v.picklist(['branch', 'tag', 'all']), 'all'),
    },
    async run(ctx, { sha, type, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<Page<CommitReference>> => {
        const { opened: found, id } = await requireCommit(opened, sha)
        const names = await found.repository.referencesContaining(id, found.abortable)
        const references = names.map((name): CommitReference => {
          const isTag = name.startsWith('refs/tags/')
          return { type: isTag ? 'tag' : 'branch', name: name.replace(/^refs\/(heads|tags)\//, '') }
        })
        return paginateArray(
          references.filter((reference) => type === 'all' || reference.type === type),
          paging,
        )
      })
    },
  }),

  /**
   * Creates a commit from changes of files and moves a branch to it, atomically. Creates a missing repository.
   *
   * @throws PlatformError `invalid` for a missing branch, and for an action that the files of the branch do not permit
   */
  create: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: {
      /** Name of the branch that receives the commit. With `startBranch` or `startSha`, it is created if it does not exist. */
      branch: Branch,
      /** Message of the commit; its first line is the title. */
      commitMessage: v.pipe(Message, v.nonEmpty()),
      /** The branch at which a new branch starts. */
      startBranch: v.optional(Branch),
      /** The commit SHA at which a new branch starts. */
      startSha: v.optional(Revision),
      ...startProjectInput,
      /** 0 to 1,000 changes, applied in order. */
      actions: v.pipe(v.array(CommitAction), v.maxLength(1_000)),
      /** E-mail address of the author. Default: that of the current user. */
      authorEmail: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Name of the author. Default: that of the current user. */
      authorName: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Whether to add the numbers of changed lines to the result. Default: true. */
      stats: v.optional(v.boolean(), true),
      /** Whether to start the branch again at `startBranch` or `startSha`, even if it loses commits. Default: false. */
      force: v.optional(v.boolean(), false),
    },
    run(ctx, { stats, startProject, ...input }, { project }) {
      assertOwnStart(project, startProject)
      return changeBranches(ctx, project, async (branches): Promise<CommitDetails> => {
        const id = await createCommit(branches, input, ctx.now)
        const opened = { repository: branches.repository, projectPath: project.fullPath, abortable: {} }
        return defined((await readCommits(opened, project.id, [id], { withStats: stats }))[0])
      })
    },
  }),

  /**
   * Imports commits given as data in the given order, and updates their branches atomically: a history with its dates, committers and
   * merges. Creates a missing repository.
   *
   * @throws PlatformError `conflict` when a branch was updated concurrently or would lose commits
   */
  import: command({ on: project, can: 'code.push', input: importInput, run: importCommits }),

  /**
   * Applies the changes of a commit to a branch.
   *
   * @throws PlatformError `invalid` if they conflict with the branch, or change nothing
   */
  cherryPick: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: applyInput,
    run: (ctx, input, { project }) => applyCommit(ctx, project, input, cherryPick),
  }),

  /**
   * Reverts the changes of a commit on a branch.
   *
   * @throws PlatformError `invalid` if they conflict with the branch, or change nothing
   */
  revert: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: applyInput,
    run: (ctx, input, { project }) => applyCommit(ctx, project, input, revert),
  }),
}
