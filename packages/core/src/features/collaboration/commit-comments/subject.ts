import { project } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { CommitReference } from './commit.ts'
import { findComment } from './discussion-queries.ts'

const commitEntries = {
  /** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag of the project; at most 1,024 characters. */
  commit: CommitReference,
}

/** A commit of a project, which `withCommit` looks up. */
export const commit = within(project, 'commit', commitEntries, async (_ctx, { project, access }, reference) => ({
  kind: 'commit',
  project,
  access,
  sha: reference.commit,
}))

/** A comment on a commit of a project. */
export const commitComment = within(
  project,
  'commitComment',
  {
    ...commitEntries,
    /** Id of a comment of the discussion. */
    note: Id,
  },
  async (ctx, { project, access }, reference) => {
    const comment = await findComment(ctx, reference.note)
    return comment?.projectId === project.id
      ? { kind: 'commitComment', project, access, sha: reference.commit, comment }
      : undefined
  },
)
