import { project } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { findComment } from './discussion-queries.ts'

/** A comment on a commit of a project. */
export const commitComment = within(
  project,
  'commitComment',
  {
    /** Id of a comment of the discussion. */
    note: Id,
  },
  async (ctx, { project, access }, reference) => {
    const comment = await findComment(ctx, reference.note)
    return comment?.projectId === project.id ? { kind: 'commitComment', project, access, comment } : undefined
  },
)
