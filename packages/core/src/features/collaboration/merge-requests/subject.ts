import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
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

const projectOrMergeRequestEntries = {
  ...project.entries,
  /** Number of a merge request within the project (the iid). Default: none, for the project. */
  mergeRequest: v.optional(Id),
}

/** A project, or one of its merge requests. */
export const projectOrMergeRequest: SubjectLoader<'project' | 'mergeRequest', typeof projectOrMergeRequestEntries> = {
  kinds: ['project', 'mergeRequest'],
  entries: projectOrMergeRequestEntries,
  kindOf: ({ mergeRequest }) => (mergeRequest === undefined ? 'project' : 'mergeRequest'),
  load: (ctx, { project: reference, mergeRequest: iid }) =>
    iid === undefined
      ? project.load(ctx, { project: reference })
      : mergeRequest.load(ctx, { project: reference, mergeRequest: iid }),
}
