import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { containerKey } from '../../spaces/members/queries.ts'
import type { PushRule, PushRuleValues } from './push-rule.ts'

const columns = [
  'pushRule.id',
  'pushRule.projectId',
  'pushRule.createdAt',
  'pushRule.commitMessageRegex',
  'pushRule.commitMessageNegativeRegex',
  'pushRule.branchNameRegex',
  'pushRule.authorEmailRegex',
  'pushRule.fileNameRegex',
  'pushRule.maxFileSize',
  'pushRule.denyDeleteTag',
  'pushRule.memberCheck',
  'pushRule.preventSecrets',
  'pushRule.commitCommitterCheck',
  'pushRule.commitCommitterNameCheck',
  'pushRule.rejectUnsignedCommits',
  'pushRule.rejectNonDcoCommits',
] as const

const selectRules = (ctx: Pick<Context, 'db'>) => ctx.db.selectFrom('pushRule').select(columns)

export const findProjectRule = (ctx: Pick<Context, 'db'>, projectId: number): Promise<PushRule | undefined> =>
  selectRules(ctx).where('projectId', '=', projectId).executeTakeFirst()

/** The own push rule of a project or a group. */
export const findRule = (
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
): Promise<PushRule | undefined> =>
  subject.kind === 'project'
    ? findProjectRule(ctx, subject.project.id)
    : selectRules(ctx).where('groupId', '=', subject.group.id).executeTakeFirst()

/** The push rule of the nearest group with one, from a namespace upwards. */
export const findInheritedRule = (ctx: Context, namespaceId: number): Promise<PushRule | undefined> =>
  selectRules(ctx)
    .innerJoin('namespaceLineage as up', 'up.ancestorId', 'pushRule.groupId')
    .where('up.namespaceId', '=', namespaceId)
    .orderBy('up.depth')
    .limit(1)
    .executeTakeFirst()

export const insertRule = async (
  ctx: Context,
  owner: ReturnType<typeof containerKey>,
  values: PushRuleValues,
): Promise<void> => {
  await ctx.db
    .insertInto('pushRule')
    .values({ ...owner, ...values, createdAt: ctx.now } satisfies CompleteRow<'pushRule'>)
    .execute()
}
