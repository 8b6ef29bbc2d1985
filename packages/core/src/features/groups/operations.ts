import * as v from 'valibot'
import {
  Access,
  getLessVisible,
  isMoreVisible,
  projectCreationLevels,
  subgroupCreationLevels,
  visibilities,
} from '../../access/levels.ts'
import { findGroup } from '../../access/namespaces.ts'
import { group, parentGroup } from '../../access/subjects.ts'
import type { Group } from '../../contract/namespace.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { toPathSegment } from '../../shared/text.ts'
import { getSettings } from '../settings/queries.ts'
import { assertPathAvailable, insertNamespace } from './insert-namespace.ts'
import { assertValidNames } from './names.ts'
import { updateDescendantPaths } from './rename.ts'
import { GroupSettingsInput, type PartialGroupSettings } from './settings.ts'

const detailsInput = {
  description: v.optional(v.string()),
  visibility: v.optional(v.picklist(visibilities)),
  requestAccessEnabled: v.optional(v.boolean()),
  avatarUrl: v.optional(v.nullable(v.string())),
  shareWithGroupLock: v.optional(v.boolean()),
  projectCreationLevel: v.optional(v.picklist(projectCreationLevels)),
  subgroupCreationLevel: v.optional(v.picklist(subgroupCreationLevels)),
  /** Settings to change; absent ones stay unchanged. */
  settings: v.optional(GroupSettingsInput),
}

const tooVisibleError = () => invalid({ visibility: ['is not allowed: the parent group is less visible'] })

const reloadGroup = async (ctx: Context, id: number): Promise<Group> => {
  const row = await findGroup(ctx, id)
  if (!row) throw notFound('Group')
  return { ...row }
}

const mergeSettings = async (ctx: Context, { id }: Group, changes: PartialGroupSettings) => {
  const row = await ctx.db.selectFrom('namespace').where('id', '=', id).select('settings').executeTakeFirst()
  return { ...row?.settings, ...changes }
}

/** A subgroup or project must not be more visible than its group. */
const assertChildrenNotMoreVisible = async (ctx: Context, { id }: Group, visibility: Group['visibility']) => {
  const children = await ctx.db
    .selectFrom('namespace')
    .where('parentId', '=', id)
    .select('visibility')
    .distinct()
    .execute()
  const projects = await ctx.db
    .selectFrom('project')
    .where('namespaceId', '=', id)
    .select('visibility')
    .distinct()
    .execute()
  if ([...children, ...projects].some((child) => isMoreVisible(child.visibility, visibility))) {
    throw invalid({ visibility: ['is not allowed: a subgroup or project is more visible'] })
  }
}

export const groups = {
  /** Gets a group by id or full path. */
  get: query({ on: group, can: 'group.read', run: (_ctx, _input, { group }) => ({ ...group }) }),

  /** Creates a group in `parent` or at the top level, where the creator becomes the owner. `path` defaults to the slugified name. */
  create: command({
    on: parentGroup,
    can: 'group.create',
    serializes: 'instance',
    input: { name: v.string(), path: v.optional(v.string()), ...detailsInput },
    async run(ctx, { name, path = toPathSegment(name), visibility: requestedVisibility, ...rest }, subject) {
      assertValidNames({ name, path })
      const parent = subject.kind === 'group' ? subject.group : undefined
      const { defaultGroupVisibility, defaultProjectCreation } = await getSettings(ctx)
      const visibility = requestedVisibility ?? getLessVisible(defaultGroupVisibility, parent?.visibility ?? 'public')
      if (parent && isMoreVisible(visibility, parent.visibility)) throw tooVisibleError()
      const { id } = await insertNamespace(ctx, {
        kind: 'group',
        ownerId: null,
        name,
        path,
        visibility,
        ...rest,
        projectCreationLevel: rest.projectCreationLevel ?? projectCreationLevels[defaultProjectCreation],
        ...(parent && { parent }),
      })
      if (ctx.actor.kind === 'user' && subject.kind === 'instance') {
        await ctx.db
          .insertInto('member')
          .values({
            groupId: id,
            projectId: null,
            userId: ctx.actor.id,
            accessLevel: Access.owner,
            expiresAt: null,
            createdAt: ctx.now,
            updatedAt: null,
            syncedLevel: null,
            overriddenAt: null,
          } satisfies CompleteRow<'member'>)
          .execute()
      }
      return reloadGroup(ctx, id)
    },
  }),

  /** Updates a group. A new name or path changes the full names and paths of its subgroups and projects. */
  update: command({
    on: group,
    can: 'group.update',
    serializes: 'instance',
    input: { name: v.optional(v.string()), path: v.optional(v.string()), ...detailsInput },
    rules: [atLeastOne('name', 'path', ...(Object.keys(detailsInput) as (keyof typeof detailsInput)[]))],
    async run(ctx, { settings, ...change }, { group }) {
      assertValidNames(change)
      const parent = group.parentId === null ? undefined : await findGroup(ctx, group.parentId)
      if (change.visibility) {
        if (parent && isMoreVisible(change.visibility, parent.visibility)) throw tooVisibleError()
        await assertChildrenNotMoreVisible(ctx, group, change.visibility)
      }
      await ctx.db
        .updateTable('namespace')
        .set({
          ...change,
          ...(settings && { settings: await mergeSettings(ctx, group, settings) }),
          updatedAt: ctx.now,
        })
        .where('id', '=', group.id)
        .execute()
      if (change.path !== undefined || change.name !== undefined) {
        const path = change.path ?? group.path
        const fullPath = parent ? `${parent.fullPath}/${path}` : path
        if (fullPath.toLowerCase() !== group.fullPath.toLowerCase()) await assertPathAvailable(ctx, fullPath)
        await updateDescendantPaths(ctx, group.id)
      }
      return reloadGroup(ctx, group.id)
    },
  }),

  /** Removes a group with its subgroups and projects. */
  remove: command({
    on: group,
    can: 'group.remove',
    serializes: 'instance',
    async run(ctx, _input, { group }) {
      await ctx.emit('group.removed', { groupId: group.id })
      await ctx.db.deleteFrom('namespace').where('id', '=', group.id).execute()
    },
  }),
}
