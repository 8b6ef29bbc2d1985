import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import type { Project } from '../../../contract/project.ts'
import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import type { UserActor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { canRead } from '../notes/mentions.ts'
import type { NotificationScope } from './effective-settings.ts'

interface PipelineTarget {
  readonly kind: 'pipeline'
  readonly project: Project
  readonly pipeline: PipelineRecord
}

/** What users can be notified of. The access level is that of no user: each user is checked separately. */
export type NotificationTarget = Noteable | Subjects['commitComment'] | PipelineTarget

type Issuable = Extract<Noteable, { readonly kind: 'issue' | 'mergeRequest' }>

/** Whether the target can have assignees and labels that users subscribe to. */
export const isIssuable = (target: NotificationTarget): target is Issuable =>
  target.kind === 'issue' || target.kind === 'mergeRequest'

/** Whether users can subscribe to the target. */
export const isSubscribable = (target: NotificationTarget): target is Issuable | Subjects['epic'] =>
  isIssuable(target) || target.kind === 'epic'

/** The project or the group of a target; undefined for a personal snippet. */
export const getContainer = (target: NotificationTarget): Subjects['project'] | Subjects['group'] | undefined => {
  if (target.kind === 'epic') return { kind: 'group', group: target.group, access: 0, hasVisibleProject: false }
  return target.project ? { kind: 'project', project: target.project, access: 0 } : undefined
}

/** Which settings apply to a target. The global ones apply to a personal snippet. */
export const getScope = (target: NotificationTarget): NotificationScope => {
  if (target.kind === 'epic') return { projectId: null, namespaceId: target.group.id }
  return { projectId: target.project?.id ?? null, namespaceId: target.project?.namespaceId ?? 0 }
}

/** Whether a user can read the target, and the note if there is one. */
export async function canReadTarget(
  ctx: Context,
  target: NotificationTarget,
  note: Subjects['note'] | undefined,
  user: UserActor,
): Promise<boolean> {
  if (target.kind !== 'pipeline' && target.kind !== 'commitComment') return canRead(ctx, note ?? target, user)
  const { project } = target
  const access = await getProjectAccessLevel({ ...ctx, actor: user }, project)
  return target.kind === 'pipeline'
    ? hasAbility(user, { kind: 'project', project, access }, 'pipeline.read')
    : hasAbility(user, { ...target, access }, 'note.read')
}
