import { findGroup } from '../access/namespaces.ts'
import { findProject } from '../access/projects.ts'
import { resolveGroupSettings } from '../features/accounts/namespaces/settings.ts'
import { findUserIfKnown } from '../features/accounts/users/queries.ts'
import { getSettings } from '../features/administration/settings/queries.ts'
import { findRule } from '../features/code/push-rules/queries.ts'
import { defaultRule } from '../features/code/push-rules/rule-input.ts'
import { directMembers, findMemberByUser } from '../features/spaces/members/queries.ts'
import { withDefaultSettings } from '../features/spaces/projects/settings.ts'
import { type CallBefore, readField, toReference } from './entry.ts'

/** The fields and settings of the project that is the subject. */
export const readProject = async ({ ctx, subject }: CallBefore): Promise<unknown> => {
  if (subject.kind !== 'project') return undefined
  const row = await ctx.db
    .selectFrom('project')
    .where('id', '=', subject.project.id)
    .select([
      'name',
      'path',
      'visibility',
      'defaultBranch',
      'issuesAccessLevel',
      'mergeRequestsAccessLevel',
      'repositoryAccessLevel',
      'snippetsAccessLevel',
      'settings',
    ])
    .executeTakeFirstOrThrow()
  return { ...row, ...withDefaultSettings(row.settings) }
}

/** The fields and settings of the group that is the subject. */
export const readGroup = async ({ ctx, subject }: CallBefore): Promise<unknown> => {
  if (subject.kind !== 'group') return undefined
  const row = await ctx.db
    .selectFrom('namespace')
    .where('id', '=', subject.group.id)
    .select([
      'name',
      'path',
      'description',
      'visibility',
      'requestAccessEnabled',
      'projectCreationLevel',
      'shareWithGroupLock',
      'settings',
    ])
    .executeTakeFirstOrThrow()
  return { ...row, ...resolveGroupSettings(row.settings, {}) }
}

/** The full path of the project that is the subject. */
export const readProjectPath = async ({ ctx, subject }: CallBefore): Promise<unknown> =>
  subject.kind === 'project' ? findProject(ctx, subject.project.id) : undefined

/** The full path of the group that is the subject. */
export const readGroupPath = async ({ ctx, subject }: CallBefore): Promise<unknown> =>
  subject.kind === 'group' ? findGroup(ctx, subject.group.id) : undefined

/** The push rule of the subject; the default values without one. */
export const readPushRule = async ({ ctx, subject }: CallBefore): Promise<unknown> =>
  subject.kind === 'project' || subject.kind === 'group' ? ((await findRule(ctx, subject)) ?? defaultRule) : undefined

export const readSettings = async ({ ctx }: CallBefore): Promise<unknown> => getSettings(ctx)

/** The direct membership of the user that the input names. */
export const readMember = async ({ ctx, subject, fields }: CallBefore): Promise<unknown> => {
  const user = toReference(fields.user)
  if (user === undefined || (subject.kind !== 'project' && subject.kind !== 'group')) return undefined
  return findMemberByUser(directMembers(ctx, subject), user)
}

/** The user that the input names, before and after a change of the username. */
export const readUser = async ({ ctx, fields }: CallBefore, before?: unknown): Promise<unknown> => {
  const user = toReference(readField(before, 'id')) ?? toReference(fields.user)
  return user === undefined ? undefined : findUserIfKnown(ctx, user)
}

/** The user that the input names, or the owner of the token that it names or that authenticates the call. */
export const readTokenOwner = async ({ ctx, fields }: CallBefore): Promise<unknown> => {
  const { actor, db } = ctx
  const id = typeof fields.token === 'number' ? fields.token : actor.kind === 'user' ? actor.tokenId : undefined
  if (id === undefined) return undefined
  const token = await db
    .selectFrom('personalAccessToken')
    .where('id', '=', id)
    .select(['id', 'name', 'userId'])
    .executeTakeFirst()
  return token && { token, account: await findUserIfKnown(ctx, token.userId) }
}
