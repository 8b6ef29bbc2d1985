import * as v from 'valibot'
import { isMoreVisible, projectCreationLevels, subgroupCreationLevels, visibilities } from '../../../access/levels.ts'
import { findGroup } from '../../../access/namespaces.ts'
import { group, parentGroup } from '../../../access/subjects.ts'
import type { Group } from '../../../contract/namespace.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { textUpTo } from '../../../kernel/text-limits.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { AvatarInput } from '../../accounts/avatars/avatar.ts'
import { setAvatar } from '../../accounts/avatars/mutations.ts'
import { readStoredSettings } from '../../accounts/namespaces/inherited-settings.ts'
import { assertPathAvailable } from '../../accounts/namespaces/insert-namespace.ts'
import { updateDescendantPaths } from '../../accounts/namespaces/rename.ts'
import {
  administratorSettings,
  GroupSettingsInput,
  mergeGroupSettings,
  type PartialGroupSettings,
} from '../../accounts/namespaces/settings.ts'
import { assertUnrestricted } from '../../administration/settings/restricted-visibility.ts'
import { assertMayCreateGroups, createGroup, tooVisibleError } from './create-group.ts'
import { readChangedGroup } from './group-details.ts'
import { assertValidNames } from './names.ts'

const detailsInput = {
  /** Display name: not blank, at most 255 characters. Default for a new group: the path. */
  name: v.optional(v.string()),
  /**
   * Last segment of the full path. 1 to 255 letters, digits, `_`, `-` and `.`, without a leading `-` or `.` and without `.`,
   * `.git` or `.atom` at the end. Unique within the parent, among projects too, and at the top level among users, regardless
   * of case. Default for a new group: the name in lower case with hyphens.
   */
  path: v.optional(v.string()),
  /** Free text. Default for a new group: empty. */
  description: v.optional(textUpTo(500)),
  /**
   * Who can see the group: `private` its members, `internal` also signed-in users who are not external, `public` everyone.
   * At most that of the parent, at least that of subgroups and projects. Default for a new group: the setting
   * `defaultGroupVisibility`, limited by the parent.
   */
  visibility: v.optional(v.picklist(visibilities)),
  /** Whether signed-in users who are not members can request access. Default for a new group: true. */
  requestAccessEnabled: v.optional(v.boolean()),
  /** URL of the picture, stored unchanged; null (default for a new group) for none. */
  avatarUrl: v.optional(v.nullable(v.string())),
  /** The picture as a file, instead of `avatarUrl`; null for none. */
  avatar: AvatarInput,
  /** Whether the projects of the group and its subgroups cannot be shared with other groups. Default for a new group: false. */
  shareWithGroupLock: v.optional(v.boolean()),
  /**
   * Lowest role that can create projects in the group; `noone` and `administrator`: administrators only. Default for a new group: the setting
   * `defaultProjectCreation`.
   */
  projectCreationLevel: v.optional(v.picklist(projectCreationLevels)),
  /** Lowest role that can create subgroups. Default for a new group: `owner`. */
  subgroupCreationLevel: v.optional(v.picklist(subgroupCreationLevels)),
  /** Further settings of the group; omitted ones stay unchanged. */
  settings: v.optional(GroupSettingsInput),
}

/** @throws PlatformError `forbidden` */
const assertMayChange = ({ actor }: Context, settings: PartialGroupSettings | undefined) => {
  const name = administratorSettings.find((setting) => settings?.[setting] !== undefined)
  if (name !== undefined && !isAdministrator(actor)) throw forbidden(`Only administrators can set ${name}`)
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

export const groupManagement = {
  /**
   * Creates a group in a parent group or at the top level, where the creator becomes its owner.
   *
   * @throws PlatformError `invalid` for an invalid name or path or if the parent is less visible, `conflict` when the path
   * is taken
   */
  create: command({
    on: parentGroup,
    can: 'group.create',
    serializes: 'instance',
    input: detailsInput,
    rules: [atLeastOne('name', 'path')],
    async run(ctx, input, subject) {
      assertMayChange(ctx, input.settings)
      const parent = subject.kind === 'group' ? subject.group : undefined
      const ownerId = ctx.actor.kind === 'user' ? ctx.actor.id : null
      if (parent === undefined && ownerId !== null) await assertMayCreateGroups(ctx, ownerId)
      const { id } = await createGroup(ctx, parent, { ...input, ownerId })
      return readChangedGroup(ctx, id)
    },
  }),

  /**
   * Updates a group; omitted fields stay unchanged, at least one is required. A new name or path changes the full names and
   * paths of its subgroups and projects.
   *
   * @throws PlatformError `invalid` for an invalid name, path or visibility, `conflict` when the path is taken
   */
  update: command({
    on: group,
    can: 'group.update',
    serializes: 'instance',
    input: detailsInput,
    rules: [atLeastOne(...keysOf(detailsInput))],
    async run(ctx, { settings, avatar, ...change }, { group }) {
      assertValidNames(change)
      assertMayChange(ctx, settings)
      const parent = group.parentId === null ? undefined : await findGroup(ctx, group.parentId)
      if (change.visibility) {
        if (change.visibility !== group.visibility) await assertUnrestricted(ctx, change.visibility)
        if (parent && isMoreVisible(change.visibility, parent.visibility)) throw tooVisibleError()
        await assertChildrenNotMoreVisible(ctx, group, change.visibility)
      }
      await updateChanged(ctx, 'namespace', group.id, {
        ...change,
        ...(settings && { settings: mergeGroupSettings(await readStoredSettings(ctx, group.id), settings) }),
      })
      await setAvatar(ctx, 'group', group.id, avatar)
      if (change.path !== undefined || change.name !== undefined) {
        const path = change.path ?? group.path
        const fullPath = parent ? `${parent.fullPath}/${path}` : path
        if (fullPath.toLowerCase() !== group.fullPath.toLowerCase()) await assertPathAvailable(ctx, fullPath)
        await updateDescendantPaths(ctx, group.id)
      }
      const details = await readChangedGroup(ctx, group.id)
      const { path: oldPath, fullPath: oldFullPath } = group
      if (details.path !== oldPath) await ctx.emit('group.renamed', { group: details, oldPath, oldFullPath })
      return details
    },
  }),
}
