import { project } from '../../access/subjects.ts'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, Reference } from '../../kernel/inputs.ts'
import type { Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { visible } from '../../policy.ts'
import { findIssue } from './queries.ts'

const isAssigned = async (ctx: Context, issueId: number): Promise<boolean> => {
  const row = await ctx.db
    .selectFrom('issueAssignee')
    .where('issueId', '=', issueId)
    .where('userId', '=', personId(ctx.actor))
    .select('issueId')
    .executeTakeFirst()
  return row !== undefined
}

const entries = { project: Reference, issue: Id }

/** An issue, by its project and iid. */
export const issue: Subject<'issue', typeof entries> = {
  kinds: ['issue'],
  entries,
  async load(ctx, ref): Promise<Subjects['issue']> {
    const place = await project.load(ctx, ref)
    // An invisible project is missed as a project, before its issues are looked at.
    if (!visible.project.holds(ctx.actor, place)) throw notFound('Project')
    const record = await findIssue(ctx, place.project.id, ref.issue)
    if (!record) throw notFound()
    return { ...place, kind: 'issue', issue: record, assigned: await isAssigned(ctx, record.id) }
  },
}
