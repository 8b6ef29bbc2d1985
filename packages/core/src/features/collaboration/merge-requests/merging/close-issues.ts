import { getProjectAccessLevel } from '../../../../access/actor-level.ts'
import { findProject } from '../../../../access/projects.ts'
import type { Project } from '../../../../contract/project.ts'
import type { Context } from '../../../../kernel/context.ts'
import { hasAbility } from '../../../../policy/authorize.ts'
import { setState } from '../../../planning/issues/mutations.ts'
import { formatSource, type ReferenceSource } from '../../cross-references/source.ts'
import { findReadableIssues } from '../changes/closed-issues.ts'

/** What closes issues, and its project. */
export interface ClosingSource {
  readonly source: ReferenceSource
  readonly project: Project
}

/** Closes open issues that the actor of the context may close; others are ignored. */
export const closeIssues = async (
  ctx: Context,
  references: readonly { readonly projectPath: string; readonly iid: number }[],
  { source, project: sourceProject }: ClosingSource,
): Promise<void> => {
  for (const issue of await findReadableIssues(ctx, '', references)) {
    const project = await findProject(ctx, issue.projectId)
    if (project === undefined || issue.state !== 'opened') continue
    const access = await getProjectAccessLevel(ctx, project)
    const subject = { kind: 'issue', project, access, issue, isAssignee: false } as const
    if (hasAbility(ctx.actor, subject, 'issue.update'))
      await setState(ctx, issue, 'closed', formatSource(source, sourceProject, project.id))
  }
}
