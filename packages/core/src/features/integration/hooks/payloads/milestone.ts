import type { Project } from '../../../../contract/project.ts'
import type { Milestone } from '../../../planning/milestones/milestone.ts'
import type { HookPayload } from '../delivery.ts'
import { buildProject, type PayloadContext } from './common.ts'

/** A new, closed, reopened or removed milestone. One of a group has no project. */
export const buildMilestoneEvent = async (
  payload: PayloadContext,
  project: Project | null,
  action: 'create' | 'close' | 'reopen' | 'delete',
  milestone: Milestone,
): Promise<HookPayload> => ({
  object_kind: 'milestone',
  event_type: 'milestone',
  ...(project ? { project: await buildProject(payload, project) } : { group_id: milestone.groupId }),
  object_attributes: {
    id: milestone.id,
    iid: milestone.iid,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    due_date: milestone.dueDate,
    start_date: milestone.startDate,
    project_id: milestone.projectId,
  },
  action,
})
