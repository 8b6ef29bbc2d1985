import { project } from '../../access/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { within } from '../../policy/compose-subjects.ts'
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
