import { keysOf } from '../../../shared/keys-of.ts'

export type QuickActionKind = 'issue' | 'mergeRequest' | 'epic'

interface QuickActionDefinition {
  /** Other names, as users write them. */
  readonly aliases?: readonly string[]
  /** The kinds of items that it changes. */
  readonly on: readonly QuickActionKind[]
  /** What follows the name, as the guide shows it. */
  readonly parameters?: string
  /** Its effect, for the guide. */
  readonly effect: string
}

const issuables = ['issue', 'mergeRequest'] as const
const all = [...issuables, 'epic'] as const

/** All quick actions: names, items and effects. `docs/guide/quick-actions.md` lists them. */
export const quickActions = {
  approve: { on: ['mergeRequest'], effect: 'approves it' },
  assign: { on: issuables, parameters: '@bob me', effect: 'adds assignees who can read it' },
  assign_reviewer: {
    aliases: ['reviewer', 'request_review'],
    on: ['mergeRequest'],
    parameters: '@bob me',
    effect: 'requests reviews; again from users who have reviewed it',
  },
  award: { aliases: ['react'], on: all, parameters: ':tada:', effect: 'awards an emoji, or removes it' },
  blocked_by: { on: ['issue'], parameters: '#1 acme/web#2', effect: 'marks it as blocked by other issues' },
  blocks: { on: ['issue'], parameters: '#1 acme/web#2', effect: 'marks it as blocking other issues' },
  child_epic: { on: ['epic'], parameters: '&1', effect: 'makes another epic its child: `&1`, `acme&1` or a URL' },
  clear_health_status: { on: ['issue'], effect: 'removes the health status' },
  clear_weight: { on: ['issue'], effect: 'removes the weight' },
  clone: {
    on: ['issue'],
    parameters: 'acme/web --with_notes',
    effect: 'copies it to a project, or to its own; with its comments on request',
  },
  close: { on: all, effect: 'closes it' },
  confidential: { on: ['issue', 'epic'], effect: 'makes it confidential' },
  copy_metadata: { on: issuables, parameters: '#1', effect: 'copies the labels and the milestone of `#1` or `!1`' },
  done: { on: all, effect: "marks the author's to-do item as done" },
  draft: { on: ['mergeRequest'], effect: 'marks it as a draft' },
  due: { on: ['issue'], parameters: 'in 2 days', effect: 'sets the due date' },
  duplicate: {
    on: ['issue'],
    parameters: '#1',
    effect: 'closes it as a duplicate of another issue, to which it is linked',
  },
  epic: { on: ['issue'], parameters: '&1', effect: 'adds it to an epic: `&1`, `acme&1` or a URL' },
  estimate: { aliases: ['estimate_time'], on: issuables, parameters: '3h 30m', effect: 'sets the estimate' },
  health_status: { on: ['issue'], parameters: 'at_risk', effect: 'sets the health status' },
  label: { aliases: ['labels'], on: all, parameters: '~bug ~"needs review"', effect: 'adds existing labels' },
  lock: { on: issuables, effect: 'restricts the discussion to members' },
  merge: { on: ['mergeRequest'], effect: 'merges it, after a running pipeline has succeeded' },
  milestone: { on: issuables, parameters: '%"1.0"', effect: 'sets the milestone' },
  move: { on: ['issue'], parameters: 'acme/api', effect: 'moves it to another project' },
  parent_epic: { on: ['epic'], parameters: '&1', effect: 'makes it a child of another epic' },
  promote_to_incident: { on: ['issue'], effect: 'makes it an incident' },
  ready: { on: ['mergeRequest'], effect: 'marks it as ready' },
  reassign: { on: issuables, parameters: '@bob', effect: 'replaces all assignees' },
  reassign_reviewer: { on: ['mergeRequest'], parameters: '@bob', effect: 'replaces all reviewers' },
  rebase: { on: ['mergeRequest'], effect: 'rebases its source branch; `/merge` in the same text is ignored' },
  relabel: { on: all, parameters: '~bug', effect: 'replaces all labels' },
  relate: { on: ['issue'], parameters: '#1 acme/web#2', effect: 'links it to other issues' },
  remove_child_epic: { on: ['epic'], parameters: '&1', effect: 'removes a child from it' },
  remove_due_date: { on: ['issue'], effect: 'removes the due date' },
  remove_epic: { on: ['issue'], effect: 'removes it from its epic' },
  remove_estimate: { aliases: ['remove_time_estimate'], on: issuables, effect: 'removes the estimate' },
  remove_milestone: { on: issuables, effect: 'removes the milestone' },
  remove_parent_epic: { on: ['epic'], effect: 'removes it from its parent' },
  remove_time_spent: { on: issuables, effect: 'removes the recorded work' },
  reopen: { on: all, effect: 'reopens it' },
  request_changes: { on: ['mergeRequest'], effect: 'requests changes as a reviewer, which withdraws an approval' },
  spend: {
    aliases: ['spend_time'],
    on: issuables,
    parameters: '1h 30m 2026-11-21',
    effect: 'records work, today or on a day; negative durations subtract',
  },
  submit_review: {
    on: ['mergeRequest'],
    parameters: 'requested_changes',
    effect:
      "publishes the author's draft notes, with the result `reviewed` (default), `approve` or `requested_changes`",
  },
  subscribe: { on: all, effect: 'subscribes the author to it' },
  target_branch: { on: ['mergeRequest'], parameters: 'stable', effect: 'changes the target branch' },
  title: { on: all, parameters: 'Text', effect: 'changes the title' },
  todo: { on: all, effect: 'creates a to-do item for the author' },
  unapprove: { on: ['mergeRequest'], effect: "withdraws the author's approval" },
  unassign: { on: issuables, parameters: '@bob', effect: 'removes assignees; without names, all of them' },
  unassign_reviewer: {
    aliases: ['remove_reviewer'],
    on: ['mergeRequest'],
    parameters: '@bob me',
    effect: 'removes reviewers; without names, all of them',
  },
  unlabel: {
    aliases: ['remove_label'],
    on: all,
    parameters: '~bug',
    effect: 'removes labels; without names, all of them',
  },
  unlink: { on: ['issue'], parameters: '#1', effect: 'removes the link to another issue' },
  unlock: { on: issuables, effect: 'opens the discussion to all readers' },
  unsubscribe: { on: all, effect: 'unsubscribes the author from it' },
  weight: { on: ['issue'], parameters: '5', effect: 'sets the weight, from 0' },
} as const satisfies Readonly<Record<string, QuickActionDefinition>>

export type QuickActionName = keyof typeof quickActions

/** The texts that quick actions append to what follows them. */
export const appendedTexts: ReadonlyMap<string, string> = new Map([
  ['shrug', '¯\\＿(ツ)＿/¯'],
  ['tableflip', '(╯°□°)╯︵ ┻━┻'],
])

const definitions: Readonly<Record<QuickActionName, QuickActionDefinition>> = quickActions

/** Whether a kind of item has the quick action. */
export const isQuickActionOn = (name: QuickActionName, kind: QuickActionKind): boolean =>
  definitions[name].on.includes(kind)

/** The quick actions by all their names. */
export const quickActionsByName: ReadonlyMap<string, QuickActionName> = new Map(
  keysOf(quickActions).flatMap((name) =>
    [name, ...(definitions[name].aliases ?? [])].map((written) => [written, name] as const),
  ),
)
