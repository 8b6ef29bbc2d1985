import { container } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import type { PushRule } from './push-rule.ts'
import { findRule, insertRule } from './queries.ts'
import { changeRule, defaultRule, ruleInput } from './rule-input.ts'

const getRule = async (ctx: Context, subject: Subjects['project'] | Subjects['group']): Promise<PushRule> => {
  const rule = await findRule(ctx, subject)
  if (!rule) throw notFound('Push Rule')
  return rule
}

export const pushRules = {
  /** Gets the push rule of a project or a group; null if it has none. */
  get: query({
    on: container,
    can: 'pushRule.manage',
    run: async (ctx, _input, subject): Promise<PushRule | null> => (await findRule(ctx, subject)) ?? null,
  }),

  /**
   * Adds a push rule to a project, or to a group for its new projects. Fails with `unprocessable` if there is one.
   */
  create: command({
    on: container,
    can: 'pushRule.manage',
    serializes: 'project',
    input: ruleInput,
    async run(ctx, input, subject) {
      if (await findRule(ctx, subject)) throw new PlatformError('unprocessable', 'The push rule exists, update it')
      await insertRule(ctx, containerKey(subject), changeRule(defaultRule, input))
      return getRule(ctx, subject)
    },
  }),

  /** Changes a push rule; omitted fields stay unchanged. The rule of a group changes for new projects only. */
  update: command({
    on: container,
    can: 'pushRule.manage',
    serializes: 'project',
    input: ruleInput,
    async run(ctx, input, subject) {
      const rule = await getRule(ctx, subject)
      await ctx.db.updateTable('pushRule').set(changeRule(rule, input)).where('id', '=', rule.id).execute()
      return getRule(ctx, subject)
    },
  }),

  /** Removes a push rule. Projects keep the copies of the rule of a group. */
  remove: command({
    on: container,
    can: 'pushRule.manage',
    serializes: 'project',
    async run(ctx, _input, subject) {
      const { id } = await getRule(ctx, subject)
      await ctx.db.deleteFrom('pushRule').where('id', '=', id).execute()
    },
  }),
}
