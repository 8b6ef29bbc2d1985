import { readableIssuesOfProject } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { issuePosition } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { moveItem } from '../issuables/positions.ts'
import type { Issue } from './issue.ts'
import { reload } from './mutations.ts'

interface Neighbors {
  readonly moveBeforeId?: number | undefined
  readonly moveAfterId?: number | undefined
}

const assertReadable = async (ctx: Context, { project, access }: Subjects['issue'], id: number): Promise<void> => {
  const row = await ctx.db
    .selectFrom('issue')
    .where('issue.projectId', '=', project.id)
    .where('issue.id', '=', id)
    .where(readableIssuesOfProject(ctx, { access }))
    .select('issue.id')
    .executeTakeFirst()
  if (!row) throw notFound()
}

/** Moves an issue in the manual order of its project. The time of its last change stays. */
export async function reorderIssue(
  ctx: Context,
  { moveBeforeId: before, moveAfterId: after }: Neighbors,
  subject: Subjects['issue'],
): Promise<Issue> {
  for (const id of [before, after]) if (id !== undefined) await assertReadable(ctx, subject, id)
  const order = { table: 'issue', parent: 'projectId', parentId: subject.project.id, position: issuePosition } as const
  await moveItem(ctx, order, subject.issue.id, { before, after })
  return reload(ctx, subject.issue)
}
