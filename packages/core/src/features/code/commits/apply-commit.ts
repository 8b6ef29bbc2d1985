import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import type { Commit } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { type BranchWriter, changeBranches, toSignature } from '../repository/branch-writer.ts'
import type { CommitDetails, DryRun } from './commit.ts'
import { readCommits } from './queries.ts'

interface ApplyInput {
  readonly sha: string
  readonly branch: string
  readonly dryRun: boolean
  readonly message?: string | undefined
}

/** How the changes of a commit are applied. */
interface Application {
  readonly verb: 'cherry-pick' | 'revert'
  /** The changes between the two commits are applied. */
  readonly getSides: (commit: string, parent: string) => { readonly base: string; readonly theirs: string }
  readonly formatMessage: (commit: Commit) => string
}

/** Applies the changes. */
export const cherryPick: Application = {
  verb: 'cherry-pick',
  getSides: (commit, parent) => ({ base: parent, theirs: commit }),
  formatMessage: ({ message, id }) => `${message.trimEnd()}\n\n(cherry picked from commit ${id})`,
}

/** Applies the reverse changes. */
export const revert: Application = {
  verb: 'revert',
  getSides: (commit, parent) => ({ base: commit, theirs: parent }),
  formatMessage: ({ title, id }) => `Revert "${title}"\n\nThis reverts commit ${id}`,
}

const apply = async (
  { repository, pusher, resolve, commitTree }: BranchWriter,
  project: Project,
  { sha, branch, dryRun, message, now }: ApplyInput & { readonly now: string },
  { verb, getSides, formatMessage }: Application,
): Promise<CommitDetails | DryRun> => {
  const id = await resolve(sha)
  const commit = id === undefined ? undefined : await repository.commit(id)
  if (commit === undefined) throw notFound('Commit')
  const tip = await repository.branch(branch)
  if (tip === undefined) throw notFound('Branch')
  const [parent] = commit.parents
  const createFailure = (reason: 'conflict' | 'empty') =>
    new PlatformError(
      'invalid',
      `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ` +
        `${verb === 'revert' ? 'reverted' : 'cherry-picked'}, or a more recent commit may have updated some of its content.`,
      { reason },
    )
  if (parent === undefined) throw createFailure('conflict')
  const { tree, conflicts } = await repository.mergeTrees({ ours: tip, ...getSides(commit.id, parent) })
  const current = defined(await repository.commit(tip))
  if (conflicts.length > 0) throw createFailure('conflict')
  if (tree === current.tree) throw createFailure('empty')
  if (dryRun) return { dryRun: 'success' }
  const committer = toSignature(pusher, { authorName: commit.author.name, authorEmail: commit.author.email }, now)
  const ownSignature = pusher ? { name: pusher.name, email: pusher.email, date: now } : committer
  const created = await commitTree(branch, {
    tree,
    parents: [tip],
    message: message ?? formatMessage(commit),
    author: verb === 'revert' ? ownSignature : { ...commit.author, date: commit.authoredAt },
    committer: ownSignature,
  })
  const source = { repository, projectPath: project.fullPath, abortable: {} }
  return defined((await readCommits(source, project.id, [created], { withStats: true }))[0])
}

/** Applies the changes of a commit to a branch. The texts of errors are those of the API. */
export const applyCommit = (
  ctx: Context,
  project: Project,
  input: ApplyInput,
  application: Application,
): Promise<Deferred<CommitDetails | DryRun>> =>
  changeBranches(ctx, project, (branches) => apply(branches, project, { ...input, now: ctx.now }, application))
