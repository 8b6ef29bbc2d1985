import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import type { NewCommit, Repository, Signature, TreeCommit } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { findUser } from '../../accounts/users/queries.ts'
import type { ReferenceAccess } from '../protected-references/reference-access.ts'
import { toCommitName } from './commit-identity.ts'
import { resolveName } from './opened-repository.ts'
import { changeReferences, readChangeRules, updateAnnounced } from './reference-changes.ts'
import { assertForcePushAllowed } from './reference-rules.ts'
import type { RepositoryWriter } from './repository-lock.ts'
import { changeRepository, openOrCreateForWriting } from './writable-repository.ts'

/** The user who changes a repository; null for a host that names none. */
export interface Pusher {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** A user by id or username, as the author of commits. */
export const findPusher = async (ctx: Context, ref: number | string): Promise<Pusher> => {
  const user = await findUser(ctx, ref)
  return { id: user.id, name: toCommitName(user), email: user.commitEmail }
}

/** The current user, or the user in `pushedBy` of a host; null for a host without `pushedBy`. */
export const resolvePusher = async (ctx: Context, pushedBy?: number | string): Promise<Pusher | null> => {
  if (ctx.actor.kind === 'user' && pushedBy !== undefined) {
    throw forbidden('Only the host application can push for another user')
  }
  const ref = ctx.actor.kind === 'user' ? ctx.actor.id : pushedBy
  return ref === undefined ? null : findPusher(ctx, ref)
}

/** A repository while a call holds its lock. */
export interface BranchWriter {
  readonly repository: Repository
  readonly pusher: Pusher | null
  /** What the pusher may do. */
  readonly access: ReferenceAccess
  /** Resolves a branch, tag or commit id, see `resolveName`. */
  resolve(name: string): Promise<string | undefined>
  /** Writes one commit and moves its branch. Returns the id of the commit. */
  commit(commit: NewCommit, options?: { readonly force?: boolean }): Promise<string>
  /** Writes a commit of an existing tree and moves a branch to it. */
  commitTree(branch: string, commit: TreeCommit): Promise<string>
  /** Creates a branch, or deletes one with `to` undefined. `isPermitted`: the caller has checked the rules of branches. */
  moveBranches(
    moves: readonly { readonly branch: string; readonly from?: string | undefined; readonly to?: string }[],
    options?: { readonly isPermitted?: boolean },
  ): Promise<void>
}

/**
 * Runs `work` with the repository of a project while no other call changes it. A missing repository is created. Each change is
 * recorded as a push of `pusher`. `isInitial`: the change is part of the creation of the project, so that rules of branches do
 * not apply.
 */
export const writeToBranches = <T>(
  writer: RepositoryWriter,
  project: Project,
  pusher: Pusher | null,
  work: (branches: BranchWriter) => Promise<T>,
  { isInitial = false }: { readonly isInitial?: boolean } = {},
): Promise<T> =>
  changeRepository(writer, project.id, async (locked) => {
    const repository = await openOrCreateForWriting(locked, project)
    const userId = pusher?.id ?? null
    const { access, pushRule } = await locked.write((ctx) => readChangeRules(ctx, project, userId))
    const record = async <R>(
      apply: Parameters<typeof changeReferences<R>>[3]['apply'],
      isPermitted = isInitial,
    ): Promise<R> => {
      const rules = { pushRule, ...(!isPermitted && { access }) }
      return (await changeReferences(locked, repository, project.id, { userId, rules, apply })).result
    }
    const moveBranches: BranchWriter['moveBranches'] = (moves, { isPermitted } = {}) =>
      record(
        updateAnnounced(
          repository,
          moves.map(({ branch, from, to }) => ({ name: `refs/heads/${branch}`, from, to })),
        ),
        isPermitted,
      )
    return work({
      repository,
      pusher,
      access,
      resolve: (name) => resolveName({ repository, defaultBranch: project.defaultBranch }, name),
      async commit(commit, { force = false } = {}) {
        if (force) assertForcePushAllowed(access, commit.branch)
        const [id] = await record((announce) => repository.writeCommits([commit], { beforeUpdate: announce, force }))
        return defined(id)
      },
      async commitTree(branch, commit) {
        const to = await repository.writeCommit(commit)
        await moveBranches([{ branch, from: commit.parents[0], to }])
        return to
      },
      moveBranches,
    })
  })

/** Runs `work` as the current user with the branches of a project, after the transaction of a command. */
export const changeBranches = async <T>(
  ctx: Context,
  project: Project,
  work: (branches: BranchWriter) => Promise<T>,
): Promise<Deferred<T>> => {
  const { ports } = ctx
  const pusher = await resolvePusher(ctx)
  return afterTransaction(({ write }) => writeToBranches({ ports, write }, project, pusher, work))
}

/** The identity of a commit that a user makes over HTTP, or one from the input. */
export const toSignature = (
  pusher: Pusher | null,
  { authorName, authorEmail }: { readonly authorName?: string | undefined; readonly authorEmail?: string | undefined },
  date: string,
): Signature => {
  const name = authorName ?? pusher?.name
  const email = authorEmail ?? pusher?.email
  if (name === undefined || email === undefined) {
    throw invalid('author_name and author_email are required for calls of the host application')
  }
  return { name, email, date }
}
