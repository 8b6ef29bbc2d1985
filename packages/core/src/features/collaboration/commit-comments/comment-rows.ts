import type { Context } from '../../../kernel/context.ts'

/** A commit of a project. */
export interface CommentedCommit {
  readonly projectId: number
  /** The full id of the commit. */
  readonly sha: string
}

/** The comments on a commit. */
export const selectComments = ({ db }: Context, { projectId, sha }: CommentedCommit) =>
  db.selectFrom('commitComment').where('projectId', '=', projectId).where('sha', '=', sha)
