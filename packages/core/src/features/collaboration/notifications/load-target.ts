import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { pipelineColumns } from '../../code/pipeline-records/queries.ts'
import { epicColumns } from '../../planning/epics/queries.ts'
import { findIssueById } from '../../planning/issues/queries.ts'
import { mergeRequestColumns } from '../merge-requests/queries.ts'
import type { NotificationTarget } from '../notification-settings/target.ts'
import { findSnippet } from '../snippets/queries.ts'
import type { NotificationRequest } from './notification.ts'

const loadProject = async (ctx: Context, id: number) => defined(await findProject(ctx, id))

/** The item of an event, without a permission check; undefined after its removal. */
export async function loadTarget(
  ctx: Context,
  { kind, id }: NotificationRequest['target'],
): Promise<NotificationTarget | undefined> {
  const { db } = ctx
  switch (kind) {
    case 'issue': {
      const issue = await findIssueById(ctx, id)
      return issue && { kind, project: await loadProject(ctx, issue.projectId), access: 0, issue, isAssignee: false }
    }
    case 'mergeRequest': {
      const rows = db.selectFrom('mergeRequest').where('id', '=', id).select(mergeRequestColumns)
      const mergeRequest = await rows.executeTakeFirst()
      return mergeRequest && { kind, project: await loadProject(ctx, mergeRequest.projectId), access: 0, mergeRequest }
    }
    case 'epic': {
      const epic = await db.selectFrom('epic').where('id', '=', id).select(epicColumns).executeTakeFirst()
      return epic && { kind, group: defined(await findGroup(ctx, epic.groupId)), access: 0, epic }
    }
    case 'snippet': {
      const snippet = await findSnippet(ctx, id)
      const project = snippet?.projectId ? await loadProject(ctx, snippet.projectId) : null
      return snippet && { kind, project, access: 0, snippet }
    }
    case 'commitComment': {
      const columns = ['id', 'projectId', 'sha', 'authorId'] as const
      const comment = await db.selectFrom('commitComment').where('id', '=', id).select(columns).executeTakeFirst()
      if (!comment) return undefined
      return { kind, project: await loadProject(ctx, comment.projectId), access: 0, sha: comment.sha, comment }
    }
    case 'pipeline': {
      const pipeline = await db.selectFrom('pipeline').where('id', '=', id).select(pipelineColumns).executeTakeFirst()
      return pipeline && { kind, project: await loadProject(ctx, pipeline.projectId), pipeline }
    }
  }
}
