import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { QuickActionKind } from './definitions.ts'
import { extractQuickActions, type QuickAction } from './parser.ts'

interface Description {
  /** What is stored. */
  readonly description: string | null | undefined
  readonly actions: readonly QuickAction[]
}

/** Splits the description that a user writes. Those of the host are stored unchanged, because it has all permissions. */
export const takeQuickActions = ({ actor }: Context, description: string | null | undefined): Description => {
  if (!description || actor.kind !== 'user') return { description, actions: [] }
  const { text, actions } = extractQuickActions(description)
  return { description: text, actions }
}

/** Executes the quick actions of a stored description in this transaction. Returns whether there are any. */
export const requestQuickActions = async (
  ctx: Context,
  kind: QuickActionKind,
  { projectId, groupId, iid }: { readonly projectId?: number; readonly groupId?: number; readonly iid: number },
  actions: readonly QuickAction[],
): Promise<boolean> => {
  if (!actions.length) return false
  await ctx.emit('quickActions.requested', {
    kind,
    projectId: projectId ?? null,
    groupId: groupId ?? null,
    iid,
    actions,
  })
  return true
}

/** The kinds of subjects that quick actions change. */
export type QuickActionTarget = Subjects[QuickActionKind]
