import * as v from 'valibot'
import { instance, project } from '../../../access/subjects.ts'
import { exactlyOne, Id, IdOrName } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { within } from '../../../policy/compose-subjects.ts'
import { findIssueAndAssignment } from './queries.ts'

const issueEntries = {
  /** Number of the issue within the project (`iid`). */
  issue: Id,
}

/** An issue, by its project and iid. */
export const issue = within(project, 'issue', issueEntries, async (ctx, parent, reference) => {
  const found = await findIssueAndAssignment(ctx, parent.project.id, reference.issue)
  return found && { ...parent, kind: 'issue', ...found }
})

export const issueIdEntries = {
  /** Id of the issue on the instance, instead of `project` and `issue`. For administrators. */
  id: v.optional(Id),
}

const issueOrIdEntries = {
  /** Id (number) or full path (string, case-insensitive) of the project: `acme/web`. */
  project: v.optional(IdOrName),
  /** Number of the issue within the project (`iid`). */
  issue: v.optional(Id),
  ...issueIdEntries,
}

/** An issue by its project and iid, or the instance, which has the issue with `id`. */
export const issueOrId: SubjectLoader<'issue' | 'instance', typeof issueOrIdEntries> = {
  kinds: ['issue', 'instance'],
  entries: issueOrIdEntries,
  rules: [exactlyOne('issue', 'id'), exactlyOne('project', 'id')],
  kindOf: ({ id }) => (id === undefined ? 'issue' : 'instance'),
  load: (ctx, { project, issue: iid }) =>
    project === undefined || iid === undefined ? instance.load(ctx, {}) : issue.load(ctx, { project, issue: iid }),
}
