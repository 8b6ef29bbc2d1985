import { formatLevel } from '../../../../access/levels.ts'
import { findNamespace } from '../../../../access/namespaces.ts'
import type { Group, Namespace } from '../../../../contract/namespace.ts'
import type { Project } from '../../../../contract/project.ts'
import type { Signals } from '../../../../contract/signals.ts'
import { userSummaries } from '../../../accounts/users/queries.ts'
import type { HookPayload } from '../delivery.ts'
import { type PayloadContext, redactedEmail } from './common.ts'

/** A created, changed or removed project; for `project_rename` and `project_transfer` with the path before. */
export const buildProjectEvent = async (
  { ctx }: PayloadContext,
  eventName: 'project_create' | 'project_destroy' | 'project_rename' | 'project_transfer' | 'project_update',
  project: Project,
  oldPath?: string,
): Promise<HookPayload> => {
  const namespace = await findNamespace(ctx, project.namespaceId)
  const ownerId = namespace?.ownerId ?? null
  const owner = ownerId === null ? undefined : (await userSummaries(ctx, [ownerId])).get(ownerId)
  return {
    event_name: eventName,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    project_id: project.id,
    project_namespace_id: project.namespaceId,
    owner_name: owner?.name ?? namespace?.name ?? null,
    owner_email: owner ? redactedEmail : null,
    owners: owner ? [{ name: owner.name, email: redactedEmail }] : [],
    project_visibility: project.visibility,
    ...(oldPath !== undefined && { old_path_with_namespace: oldPath }),
  }
}

/** A created, renamed or removed group. */
export const buildGroupEvent = (
  eventName: 'group_create' | 'group_rename' | 'group_destroy',
  group: Group,
  old?: { readonly path: string; readonly fullPath: string },
): HookPayload => ({
  event_name: eventName,
  created_at: group.createdAt,
  updated_at: group.updatedAt,
  name: group.name,
  path: group.path,
  full_path: group.fullPath,
  group_id: group.id,
  ...(old && { old_path: old.path, old_full_path: old.fullPath }),
})

/** A created or removed subgroup. */
export const buildSubgroupEvent = (
  eventName: 'subgroup_create' | 'subgroup_destroy',
  group: Namespace,
  parent: Namespace,
): HookPayload => ({
  created_at: group.createdAt,
  updated_at: group.updatedAt,
  event_name: eventName,
  name: group.name,
  path: group.path,
  full_path: group.fullPath,
  group_id: group.id,
  parent_group_id: parent.id,
  parent_name: parent.name,
  parent_path: parent.path,
  parent_full_path: parent.fullPath,
})

/** A created, renamed or removed user. */
export const buildUserEvent = (
  eventName: 'user_create' | 'user_rename' | 'user_destroy',
  user: {
    readonly id: number
    readonly name: string
    readonly username: string
    readonly email: string
    readonly createdAt: string
  },
  oldUsername?: string,
): HookPayload => ({
  event_name: eventName,
  created_at: user.createdAt,
  updated_at: user.createdAt,
  email: user.email,
  name: user.name,
  username: user.username,
  user_id: user.id,
  ...(oldUsername !== undefined && { old_username: oldUsername }),
})

/** A public SSH key that was added or removed. */
export const buildKeyEvent = async (
  { ctx }: PayloadContext,
  eventName: 'key_create' | 'key_destroy',
  { id, userId, key, createdAt }: Signals['key.created'],
): Promise<HookPayload> => ({
  event_name: eventName,
  created_at: createdAt,
  updated_at: createdAt,
  username: (await userSummaries(ctx, [userId])).get(userId)?.username ?? null,
  key,
  id,
})

/** A membership as it is or was. */
interface Membership {
  readonly userId: number
  readonly accessLevel: number
  readonly expiresAt: string | null
  readonly createdAt: string
}

const buildMember = async ({ ctx }: PayloadContext, { userId, createdAt }: Membership): Promise<HookPayload> => {
  const user = (await userSummaries(ctx, [userId])).get(userId)
  return {
    created_at: createdAt,
    updated_at: ctx.now,
    user_username: user?.username ?? null,
    user_name: user?.name ?? null,
    user_email: user ? redactedEmail : null,
    user_id: userId,
  }
}

/** What happened to a membership, or to a request for one. */
export type MemberAction = 'add_to' | 'update_for' | 'remove_from' | 'access_request_to' | 'access_request_denied_for'

/** A new, changed or ended membership of a group, or a request for one. */
export const buildGroupMemberEvent = async (
  payload: PayloadContext,
  action: MemberAction,
  group: Namespace,
  membership: Membership,
): Promise<HookPayload> => ({
  ...(await buildMember(payload, membership)),
  event_name: `user_${action}_group`,
  group_name: group.name,
  group_path: group.path,
  group_id: group.id,
  group_access: formatLevel(membership.accessLevel),
  group_plan: null,
  expires_at: membership.expiresAt === null ? null : `${membership.expiresAt}T00:00:00Z`,
})

/** A new, changed or ended membership of a project, or a request for one. */
export const buildTeamMemberEvent = async (
  payload: PayloadContext,
  action: MemberAction,
  project: Project,
  membership: Membership,
): Promise<HookPayload> => ({
  ...(await buildMember(payload, membership)),
  event_name: action.startsWith('access_request') ? `user_${action}_project` : `user_${action}_team`,
  access_level: formatLevel(membership.accessLevel),
  project_id: project.id,
  project_name: project.name,
  project_path: project.path,
  project_path_with_namespace: project.fullPath,
  project_visibility: project.visibility,
})
