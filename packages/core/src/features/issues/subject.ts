import { project } from '../../access/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { within } from '../../policy/compose-subjects.ts'
import { findIssueAndAssignment } from './queries.ts'

/** An issue, by its project and iid. */
export const issue = within(project, 'issue', { issue: Id }, async (ctx, parent, reference) => {
  const found = await findIssueAndAssignment(ctx, parent.project.id, reference.issue)
  return found && { ...parent, kind: 'issue', ...found }
})
