import type { Context } from '../../../kernel/context.ts'
import { type ProjectSettings, withDefaultSettings } from '../../spaces/projects/settings.ts'
import type { ApprovalConfiguration } from './approval-rule.ts'

const toConfiguration = (settings: ProjectSettings): ApprovalConfiguration => ({
  approvalsBeforeMerge: settings.approvalsBeforeMerge,
  resetApprovalsOnPush: settings.resetApprovalsOnPush,
  disableOverridingApproversPerMergeRequest: settings.disableOverridingApproversPerMergeRequest,
  mergeRequestsAuthorApproval: settings.mergeRequestsAuthorApproval,
  mergeRequestsDisableCommittersApproval: settings.mergeRequestsDisableCommittersApproval,
  requirePasswordToApprove: settings.requirePasswordToApprove,
})

const readStored = async ({ db }: Context, projectId: number) => {
  const row = await db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  return row?.settings ?? null
}

export const readConfiguration = async (ctx: Context, projectId: number): Promise<ApprovalConfiguration> =>
  toConfiguration(withDefaultSettings(await readStored(ctx, projectId)))

/** Changes the given settings. */
export const updateConfiguration = async (
  ctx: Context,
  projectId: number,
  change: { readonly [K in keyof ApprovalConfiguration]?: ApprovalConfiguration[K] | undefined },
): Promise<ApprovalConfiguration> => {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const settings = { ...(await readStored(ctx, projectId)), ...given }
  await ctx.db.updateTable('project').set({ settings }).where('id', '=', projectId).execute()
  return toConfiguration(withDefaultSettings(settings))
}
