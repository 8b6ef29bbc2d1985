import * as v from 'valibot'
import { Access, narrower, visibilities, wider } from '../../access/levels.ts'
import { group, parentGroup } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { pathFrom } from '../../kernel/text.ts'
import { settingsInForce } from '../settings/queries.ts'
import { type Group, projectCreationLevels, subgroupCreationLevels } from './group.ts'
import { refuseBadNames } from './names.ts'
import { findGroup, insertNamespace, refuseTakenPath } from './queries.ts'
import { renameBelow } from './rename.ts'
import { type GivenGroupSettings, GroupSettingsInput } from './settings.ts'

const details = {
  description: v.optional(v.string()),
  visibility: v.optional(v.picklist(visibilities)),
  requestAccessEnabled: v.optional(v.boolean()),
  avatarUrl: v.optional(v.nullable(v.string())),
  shareWithGroupLock: v.optional(v.boolean()),
  projectCreationLevel: v.optional(v.picklist(projectCreationLevels)),
  subgroupCreationLevel: v.optional(v.picklist(subgroupCreationLevels)),
  /** Those that are to change; the others stay as they are. */
  settings: v.optional(GroupSettingsInput),
}

const tooVisible = () => invalid({ visibility: ['is not allowed: the parent group is less visible'] })

const reload = async (ctx: Context, id: number): Promise<Group> => {
  const found = await findGroup(ctx, id)
  if (!found) throw notFound('Group')
  return { ...found }
}

const merged = async (ctx: Context, { id }: Group, given: GivenGroupSettings) => {
  const row = await ctx.db.selectFrom('namespace').where('id', '=', id).select('settings').executeTakeFirst()
  return { ...row?.settings, ...given }
}

/** A child is never more visible than its parent. */
const refuseHiddenUnderWider = async (ctx: Context, { id }: Group, visibility: Group['visibility']) => {
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
  if ([...children, ...projects].some((child) => wider(child.visibility, visibility))) {
    throw invalid({ visibility: ['is not allowed: something in the group is more visible'] })
  }
}

export const groups = {
  /** One group, by id or full path. */
  get: query({ on: group, can: 'group.read', run: (_ctx, _input, { group }) => ({ ...group }) }),

  /** Adds a group, below `parent` or at the top. Whoever creates one owns it. The path is made from the name when absent. */
  create: command({
    on: parentGroup,
    can: 'group.create',
    input: { name: v.string(), path: v.optional(v.string()), ...details },
    async run(ctx, { name, path = pathFrom(name), visibility: given, ...rest }, subject) {
      refuseBadNames({ name, path })
      const parent = subject.kind === 'group' ? subject.group : undefined
      const { defaultGroupVisibility, defaultProjectCreation } = await settingsInForce(ctx)
      const visibility = given ?? narrower(defaultGroupVisibility, parent?.visibility ?? 'public')
      if (parent && wider(visibility, parent.visibility)) throw tooVisible()
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
          })
          .execute()
      }
      return reload(ctx, id)
    },
  }),

  /** Changes a group. A new name or path reaches everything below it. */
  update: command({
    on: group,
    can: 'group.update',
    input: { name: v.optional(v.string()), path: v.optional(v.string()), ...details },
    rules: [atLeastOne('name', 'path', ...(Object.keys(details) as (keyof typeof details)[]))],
    async run(ctx, { settings, ...change }, { group }) {
      refuseBadNames(change)
      const parent = group.parentId === null ? undefined : await findGroup(ctx, group.parentId)
      if (change.visibility) {
        if (parent && wider(change.visibility, parent.visibility)) throw tooVisible()
        await refuseHiddenUnderWider(ctx, group, change.visibility)
      }
      await ctx.db
        .updateTable('namespace')
        .set({ ...change, ...(settings && { settings: await merged(ctx, group, settings) }), updatedAt: ctx.now })
        .where('id', '=', group.id)
        .execute()
      if (change.path !== undefined || change.name !== undefined) {
        const path = change.path ?? group.path
        const fullPath = parent ? `${parent.fullPath}/${path}` : path
        if (fullPath.toLowerCase() !== group.fullPath.toLowerCase()) await refuseTakenPath(ctx, fullPath)
        await renameBelow(ctx, group.id)
      }
      return reload(ctx, group.id)
    },
  }),

  /** Removes a group with all its subgroups and projects. */
  remove: command({
    on: group,
    can: 'group.remove',
    async run(ctx, _input, { group }) {
      await ctx.emit('group.removed', { groupId: group.id })
      await ctx.db.deleteFrom('namespace').where('id', '=', group.id).execute()
    },
  }),
}
