import { Access, getLessVisible, isMoreVisible, projectCreationLevels } from '../../../access/levels.ts'
import type { Group, Namespace } from '../../../contract/namespace.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { toPathSegment } from '../../../shared/text.ts'
import type { AvatarChange } from '../../accounts/avatars/avatar.ts'
import { setAvatar } from '../../accounts/avatars/mutations.ts'
import { insertNamespace, type NewNamespace } from '../../accounts/namespaces/insert-namespace.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { chooseVisibility } from '../../administration/settings/restricted-visibility.ts'
import { pickStorage } from '../projects/initial-settings.ts'
import { assertValidNames } from './names.ts'

export const tooVisibleError = () => invalid({ visibility: ['is not allowed: the parent group is less visible'] })

/** At least one of `name` and `path` is set. */
export type NewGroup = Omit<NewNamespace, 'kind' | 'ownerId' | 'parent' | 'name' | 'path' | 'visibility'> & {
  readonly name?: string | undefined
  readonly path?: string | undefined
  readonly visibility?: Group['visibility'] | undefined
  readonly avatar?: AvatarChange
  /** The owner of a new top-level group; null for none. */
  readonly ownerId: number | null
}

/** @throws PlatformError `forbidden` for a user who cannot create top-level groups */
export const assertMayCreateGroups = async (ctx: Context, userId: number): Promise<void> => {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('canCreateGroup').executeTakeFirst()
  if (user?.canCreateGroup !== true) throw forbidden('You cannot create top-level groups')
}

const addOwner = (ctx: Context, groupId: number, userId: number) =>
  ctx.db
    .insertInto('member')
    .values({
      groupId,
      projectId: null,
      userId,
      accessLevel: Access.owner,
      expiresAt: null,
      createdAt: ctx.now,
      updatedAt: null,
      createdById: getUserId(ctx.actor) || null,
      syncedLevel: null,
      overriddenAt: null,
    } satisfies CompleteRow<'member'>)
    .execute()

/**
 * Creates a group.
 *
 * @throws PlatformError `invalid` for an invalid name or path or if the parent is less visible, `conflict` when the path is taken
 */
export async function createGroup(ctx: Context, parent: Group | undefined, input: NewGroup): Promise<Namespace> {
  const { ownerId, avatar, visibility: requested, name = input.path ?? '', path = toPathSegment(name), ...rest } = input
  assertValidNames({ name, path })
  const { defaultGroupVisibility, defaultProjectCreation, repositoryStorages } = await getSettings(ctx)
  const visibility = await chooseVisibility(
    ctx,
    requested,
    getLessVisible(defaultGroupVisibility, parent?.visibility ?? 'public'),
  )
  if (parent && isMoreVisible(visibility, parent.visibility)) throw tooVisibleError()
  const storage = pickStorage(ctx, repositoryStorages)
  const settings =
    storage === undefined || storage === 'default' ? rest.settings : { ...rest.settings, repositoryStorage: storage }
  const created = await insertNamespace(ctx, {
    ...rest,
    settings,
    kind: 'group',
    ownerId: null,
    name,
    path,
    visibility,
    projectCreationLevel: rest.projectCreationLevel ?? projectCreationLevels[defaultProjectCreation],
    ...(parent && { parent }),
  })
  if (ownerId !== null && !parent) await addOwner(ctx, created.id, ownerId)
  await setAvatar(ctx, 'group', created.id, avatar)
  await ctx.emit('group.created', { group: { ...created } })
  return created
}
