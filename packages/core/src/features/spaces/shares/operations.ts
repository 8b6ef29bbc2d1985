import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { groupIdsWithAccess } from '../../../access/access-conditions.ts'
import { withGrants } from '../../../access/grants.ts'
import { minimumLevels } from '../../../access/levels.ts'
import { findGroup } from '../../../access/namespaces.ts'
import { container, group as groupSubject } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import type { Page } from '../../../kernel/paging.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { isOutside } from '../../accounts/namespaces/inherited-settings.ts'
import { readChangedGroup } from '../groups/group-details.ts'
import { selectReadableGroups } from '../groups/group-list.ts'
import type { GroupRecord } from '../groups/group-record.ts'
import { loadGroupRecords } from '../groups/group-record-loader.ts'
import { groupPage, searchInput } from '../groups/group-search.ts'
import type { Container } from '../members/membership-rows.ts'
import { assertGrantable } from '../members/mutations.ts'
import { containerKey } from '../members/queries.ts'
import type { NewShare } from './share.ts'

/** `shareWithGroupLock` of a group forbids sharing its projects and those of all its subgroups. */
const assertSharingAllowed = async (ctx: Context, subject: Container) => {
  if (subject.kind === 'group') return
  const locked = await ctx.db
    .selectFrom('namespaceLineage')
    .innerJoin('namespace', 'namespace.id', 'namespaceLineage.ancestorId')
    .where('namespaceLineage.namespaceId', '=', subject.project.namespaceId)
    .where('namespace.shareWithGroupLock', '=', true)
    .select('namespace.id')
    .limit(1)
    .executeTakeFirst()
  if (locked) throw invalid('The group or an ancestor of it does not allow sharing projects with other groups')
}

/** The shares of a project or group with one other group. */
const sharesWith = (subject: Container, withGroupId: number) => {
  const { projectId, groupId } = containerKey(subject)
  return (eb: ExpressionBuilder<Database, 'share'>) =>
    eb.and([
      eb('share.withGroupId', '=', withGroupId),
      projectId === null ? eb('share.groupId', '=', groupId) : eb('share.projectId', '=', projectId),
    ])
}

const assertNotOwnGroup = async (ctx: Context, subject: Container, groupId: number) => {
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const ancestor = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '=', groupId)
    .select('depth')
    .executeTakeFirst()
  if (ancestor) throw invalid({ groupId: ['cannot be the group itself or one of its ancestors'] })
}

const withGroupInput = {
  /** Id or full path of the invited group: not the group itself or one above. */
  withGroup: IdOrName,
}

const relations = ['direct', 'inherited'] as const

/** The shares of a project or group itself, of the groups above it, or both. */
const selectInvitedIds = (ctx: Context, subject: Container, relation: readonly (typeof relations)[number][]) => {
  const { projectId, groupId } = containerKey(subject)
  const shares = ctx.db.selectFrom('share').where(isUnexpired('share.expiresAt', today(ctx)))
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const above = ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '!=', groupId ?? 0)
    .select('ancestorId')
  return shares
    .where((eb) =>
      eb.or([
        ...(relation.includes('direct')
          ? [projectId === null ? eb('share.groupId', '=', groupId) : eb('share.projectId', '=', projectId)]
          : []),
        ...(relation.includes('inherited') ? [eb('share.groupId', 'in', above)] : []),
      ]),
    )
    .select('share.withGroupId')
}

export const shares = {
  /** Lists the groups that a project or group is shared with and that the current user can read, by name. */
  listGroups: query({
    on: container,
    can: 'share.read',
    input: {
      ...searchInput,
      /** Shares of the project or group itself (`direct`), of the groups above (`inherited`), or both. Default: both. */
      relation: v.optional(v.pipe(v.array(v.picklist(relations)), v.maxLength(2)), [...relations]),
      /**
       * Only groups in which the current user has at least this level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50
       * owner.
       */
      minAccessLevel: v.optional(v.picklist(minimumLevels)),
      /** Whether to include `customAttributes`. Ignored unless the current user is an administrator. Default: false. */
      withCustomAttributes: v.optional(v.boolean(), false),
    },
    async run(ctx, { relation, minAccessLevel, withCustomAttributes, ...input }, subject): Promise<Page<GroupRecord>> {
      const rows = selectReadableGroups(await withGrants(ctx)).where(
        'namespace.id',
        'in',
        selectInvitedIds(ctx, subject, relation),
      )
      const found =
        minAccessLevel === undefined ? rows : rows.where('namespace.id', 'in', groupIdsWithAccess(ctx, minAccessLevel))
      const page = await groupPage(ctx, found, input)
      const options = { withCustomAttributes: withCustomAttributes && isAdministrator(ctx.actor) }
      return { ...page, items: await loadGroupRecords(ctx, page.items, options) }
    },
  }),

  /**
   * Shares a project or a group with another group that the current user can see. Its members get at most `accessLevel`,
   * which cannot exceed the current user's own level. Fails with `conflict` if it is shared with the group already, and with
   * `invalid` if `shareWithGroupLock` of a group above forbids sharing projects.
   */
  create: command({
    on: container,
    can: 'share.manage',
    serializes: 'instance',
    input: {
      ...withGroupInput,
      /**
       * Maximum level of the group's members: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups
       * only).
       */
      accessLevel: Id,
      /** The first day without access, such as `2026-11-21`; null for a share without end. */
      expiresAt: v.optional(v.nullable(DateOnly), null),
    },
    async run(ctx, { withGroup, accessLevel, expiresAt }, subject): Promise<NewShare> {
      const { group } = await loadVisible(ctx, groupSubject, { group: withGroup })
      await assertSharingAllowed(ctx, subject)
      if (subject.kind === 'group') {
        const places = { from: subject.group.id, to: group.id }
        if (await isOutside(ctx, 'preventSharingGroupsOutsideHierarchy', places))
          throw invalid('The group does not allow sharing with groups outside of it')
      }
      assertGrantable(ctx, subject, accessLevel)
      await assertNotOwnGroup(ctx, subject, group.id)
      const existing = ctx.db.selectFrom('share').where(sharesWith(subject, group.id)).select('id')
      if (await existing.executeTakeFirst()) throw conflict('Already shared with this group')
      const grant = { ...containerKey(subject), accessLevel, expiresAt }
      const { id } = await ctx.db
        .insertInto('share')
        .values({ ...grant, withGroupId: group.id, createdAt: ctx.now } satisfies CompleteRow<'share'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: groupId, name: groupName, fullPath: groupFullPath } = group
      const sharedGroup = subject.kind === 'group' ? await readChangedGroup(ctx, subject.group.id) : null
      return { id, ...grant, groupId, groupName, groupFullPath, sharedGroup }
    },
  }),

  /**
   * Ends a share, also with a group that the current user cannot see. An invisible group without a share causes the same error as
   * a missing one.
   */
  remove: command({
    on: container,
    can: 'share.manage',
    serializes: 'instance',
    input: withGroupInput,
    async run(ctx, { withGroup }, subject) {
      const group = await findGroup(ctx, withGroup)
      const shares = ctx.db.selectFrom('share').where(sharesWith(subject, group?.id ?? 0))
      const share = await shares.select('id').executeTakeFirst()
      if (!share) throw notFound('Share')
      await assertRowUnmodified(ctx, 'share', share.id)
      await ctx.db.deleteFrom('share').where('id', '=', share.id).execute()
    },
  }),
}
