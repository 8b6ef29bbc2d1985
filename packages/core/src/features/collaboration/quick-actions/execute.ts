import type { Context } from '../../../kernel/context.ts'
import { isQuickActionOn, type QuickActionName } from '../../planning/quick-actions/definitions.ts'
import type { QuickAction } from '../../planning/quick-actions/parser.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import type { QuickActionChanges } from '../notes/note.ts'
import * as epics from './epics.ts'
import { ignorePlatformError, type QuickActionHandler } from './handler.ts'
import * as labels from './labels.ts'
import * as links from './links.ts'
import * as people from './people.ts'
import * as planning from './planning.ts'
import * as reviews from './reviews.ts'
import * as state from './state.ts'
import { reloadTarget } from './target.ts'

export interface QuickActionResult {
  readonly changes: QuickActionChanges
  /** One sentence per quick action, including those that could not be applied. */
  readonly summary: readonly string[]
}

/** The functions of the table of quick actions. Each checks the ability of the operation with the same effect. */
const handlers: Readonly<Record<QuickActionName, QuickActionHandler>> = {
  approve: reviews.approve,
  assign: people.assign,
  assign_reviewer: people.assignReviewer,
  award: state.award,
  blocked_by: links.blockedBy,
  blocks: links.blocks,
  child_epic: epics.addChild,
  clear_health_status: planning.clearHealth,
  clear_weight: planning.clearWeight,
  clone: links.clone,
  close: state.close,
  confidential: state.makeConfidential,
  copy_metadata: labels.copyMetadata,
  done: state.finishTodo,
  draft: reviews.draft,
  due: planning.setDueDate,
  duplicate: links.duplicate,
  epic: planning.setEpic,
  estimate: planning.estimate,
  health_status: planning.setHealth,
  label: labels.label,
  lock: state.lock,
  merge: reviews.merge,
  milestone: labels.setMilestone,
  move: links.move,
  parent_epic: epics.setParent,
  promote_to_incident: planning.promoteToIncident,
  ready: reviews.ready,
  reassign: people.reassign,
  reassign_reviewer: people.reassignReviewer,
  rebase: reviews.rebase,
  relabel: labels.relabel,
  relate: links.relate,
  remove_child_epic: epics.removeChild,
  remove_due_date: planning.removeDueDate,
  remove_epic: planning.removeEpic,
  remove_estimate: planning.removeEstimate,
  remove_milestone: labels.removeMilestone,
  remove_parent_epic: epics.removeParent,
  remove_time_spent: planning.removeTimeSpent,
  reopen: state.reopen,
  request_changes: reviews.requestChanges,
  spend: planning.spend,
  submit_review: reviews.submit,
  subscribe: state.subscribe,
  target_branch: reviews.setTargetBranch,
  title: state.setTitle,
  todo: state.addTodo,
  unapprove: reviews.unapprove,
  unassign: people.unassign,
  unassign_reviewer: people.unassignReviewer,
  unlabel: labels.unlabel,
  unlink: links.unlink,
  unlock: state.unlock,
  unsubscribe: state.unsubscribe,
  weight: planning.setWeight,
}

const execute = async (ctx: Context, initial: QuickActionTarget, { name, argument }: QuickAction) => {
  if (!isQuickActionOn(name, initial.kind)) return undefined
  const { target, current } = await reloadTarget(ctx, initial)
  return ignorePlatformError(handlers[name](ctx, target, argument, current))
}

/** Executes quick actions in order. Actions that are not permitted or not applicable are skipped and reported. */
export async function executeQuickActions(
  ctx: Context,
  target: QuickActionTarget,
  actions: readonly QuickAction[],
): Promise<QuickActionResult> {
  let changes: QuickActionChanges = {}
  const summary: string[] = []
  // A merge could remove the branch before it is rebased.
  const isRebased = actions.some(({ name }) => name === 'rebase')
  for (const action of actions) {
    const effect = isRebased && action.name === 'merge' ? undefined : await execute(ctx, target, action)
    if (effect) changes = { ...changes, ...effect.changes }
    summary.push(effect?.message ?? `Could not apply ${action.name} command.`)
  }
  return { changes, summary }
}
