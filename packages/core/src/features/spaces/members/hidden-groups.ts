import { withGrants } from '../../../access/grants.ts'
import { readableGroups } from '../../../access/predicates.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Container } from './membership-rows.ts'

const canManage = (ctx: Context, subject: Container) =>
  subject.kind === 'project'
    ? hasAbility<'project'>(ctx.actor, subject, 'member.manage')
    : hasAbility<'group'>(ctx.actor, subject, 'member.manage')

/** The invited groups that the current user cannot see: neither they nor their members are listed, except for those who invite them. */
export const findHiddenGroups = async (ctx: Context, subject: Container): Promise<readonly number[]> => {
  if (canManage(ctx, subject)) return []
  const namespaceId = subject.kind === 'project' ? subject.project.namespaceId : subject.group.id
  const above = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  const shares = await ctx.db
    .selectFrom('share')
    .where((eb) =>
      eb.or([
        eb('share.groupId', 'in', above),
        ...(subject.kind === 'project' ? [eb('share.projectId', '=', subject.project.id)] : []),
      ]),
    )
    .distinct()
    .select('withGroupId')
    .execute()
  const ids = shares.map(({ withGroupId }) => withGroupId)
  if (!ids.length) return []
  const visible = await ctx.db
    .selectFrom('namespace')
    .where('namespace.id', 'in', ids)
    .where(readableGroups(await withGrants(ctx)))
    .select('namespace.id')
    .execute()
  return ids.filter((id) => !visible.some((group) => group.id === id))
}
