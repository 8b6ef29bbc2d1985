import { project } from '../../access/subjects.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { Id } from '../../kernel/inputs.ts'
import { within } from '../../policy/compose-subjects.ts'
import { findIssue } from './queries.ts'

const isAssigned = async (ctx: Context, issueId: number): Promise<boolean> => {
  const row = await ctx.db
    .selectFrom('issueAssignee')
    .where('issueId', '=', issueId)
    .where('userId', '=', getUserId(ctx.actor))
    .select('issueId')
    .executeTakeFirst()
  return row !== undefined
}

/** An issue, by its project and iid. */
export const issue = within(project, 'issue', { issue: Id }, async (ctx, parent, reference) => {
  const record = await findIssue(ctx, parent.project.id, reference.issue)
  return record && { ...parent, kind: 'issue', issue: record, isAssignee: await isAssigned(ctx, record.id) }
})
