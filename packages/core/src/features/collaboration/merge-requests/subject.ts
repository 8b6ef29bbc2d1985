import { project } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { findMergeRequest } from './queries.ts'

/** A merge request, by its target project and iid. */
export const mergeRequest = within(
  project,
  'mergeRequest',
  {
    /** Number of the merge request within its project (the iid). */
    mergeRequest: Id,
  },
  async (ctx, parent, reference) => {
    const record = await findMergeRequest(ctx, parent.project.id, reference.mergeRequest)
    return record && { ...parent, kind: 'mergeRequest', mergeRequest: record }
  },
)
