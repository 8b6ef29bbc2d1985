import type { ExpressionBuilder } from 'kysely'
import * as v from 'valibot'
import { findGroup } from '../../access/namespaces.ts'
import { container, group as groupSubject } from '../../access/subjects.ts'
import type { Database } from '../../contract/database.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { assertRowUnmodified } from '../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { DateOnly, Id, IdOrName } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import { loadVisible } from '../../policy/visible.ts'
import { readChangedGroup } from '../group-records/group-details.ts'
import { assertGrantable } from '../members/mutations.ts'
import { containerKey } from '../members/queries.ts'
import type { Share } from './share.ts'

/** `shareWithGroupLock` of a group forbids sharing its projects and those of all its subgroups. */
const assertSharingAllowed = async (ctx: Context, subject: Subjects['project'] | Subjects['group']) => {
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
const sharesWith = (subject: Subjects['project'] | Subjects['group'], withGroupId: number) => {
  const { projectId, groupId } = containerKey(subject)
  return (eb: ExpressionBuilder<Database, 'share'>) =>
    eb.and([
      eb('share.withGroupId', '=', withGroupId),
      projectId === null ? eb('share.groupId', '=', groupId) : eb('share.projectId', '=', projectId),
    ])
}

const assertNotOwnGroup = async (ctx: Context, subject: Subjects['project'] | Subjects['group'], groupId: number) => {
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const ancestor = await ctx.db
    .selectFrom('namespaceLineage')
    .where('namespaceId', '=', namespaceId)
    .where('ancestorId', '=', groupId)
    .select('depth')
    .executeTakeFirst()
  if (ancestor) throw invalid({ groupId: ['cannot be the group itself or one of its ancestors'] })
}

const shareInput = {
  /** Id or full path of the group to invite; not the group itself or one above. */
  withGroup: IdOrName,
  /**
   * Maximum level of the group's members: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner (groups
   * only).
   */
  accessLevel: Id,
  /** The first day without access, such as `2026-11-21`; null for a share without end. */
  expiresAt: v.optional(v.nullable(DateOnly), null),
}

const ShareSchema = v.object(shareInput)

const addShare = async (
  ctx: Context,
  { withGroup, accessLevel, expiresAt }: v.InferOutput<typeof ShareSchema>,
  subject: Subjects['project'] | Subjects['group'],
): Promise<Share> => {
  const { group } = await loadVisible(ctx, groupSubject, { group: withGroup })
  await assertSharingAllowed(ctx, subject)
  assertGrantable(ctx, subject, accessLevel)
  await assertNotOwnGroup(ctx, subject, group.id)
  const existing = await ctx.db.selectFrom('share').where(sharesWith(subject, group.id)).select('id').executeTakeFirst()
  if (existing) throw conflict('Already shared with this group')
  const { projectId, ...container } = containerKey(subject)
  const { id } = await ctx.db
    .insertInto('share')
    .values({
      ...container,
      projectId,
      withGroupId: group.id,
      accessLevel,
      expiresAt,
      createdAt: ctx.now,
    } satisfies CompleteRow<'share'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: groupId, name: groupName, fullPath: groupFullPath } = group
  return { id, projectId, groupId, groupName, groupFullPath, accessLevel, expiresAt }
}

export const shares = {
  /**
   * Shares a project or a group with another group that the caller can see. Its members get at most `accessLevel`,
   * which cannot exceed the caller's own level. Fails with `conflict` if it is shared with the group already, and with
   * `invalid` if `shareWithGroupLock` of a group above forbids sharing projects.
   */
  add: command({
    on: container,
    can: 'share.manage',
    serializes: 'instance',
    input: shareInput,
    run: addShare,
  }),

  /** Shares a group with another group, as `add`, and returns the group. */
  addToGroup: command({
    on: groupSubject,
    can: 'share.manage',
    serializes: 'instance',
    input: shareInput,
    async run(ctx, input, subject) {
      await addShare(ctx, input, subject)
      return readChangedGroup(ctx, subject.group.id)
    },
  }),

  /**
   * Ends a share, also with a group that the caller cannot see. An invisible group without a share causes the same error as
   * a missing one.
   */
  remove: command({
    on: container,
    can: 'share.manage',
    serializes: 'instance',
    input: {
      /** Id or full path of the invited group. */
      withGroup: IdOrName,
    },
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
