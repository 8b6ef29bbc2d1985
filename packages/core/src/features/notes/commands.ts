import type { Context } from '../../kernel/context.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { may } from '../../policy.ts'
import { isAwardOnly } from '../../ports/markdown/award.ts'
import { give } from '../award-emoji/giving.ts'
import { findLabel, scopeOf } from '../labels/queries.ts'
import { type CommandName, type GivenCommand, wordsIn } from './command-text.ts'
import { again, type Commandable, change, nouns, type Present, refused } from './commandable.ts'
import { mentionedIn } from './mentioned.ts'
import type { CommandsChanges } from './note.ts'
import { targetOf } from './noteable.ts'

/** What the commands of a comment did. */
export interface Obeyed {
  readonly changes: CommandsChanges
  /** A sentence for each command, also for one that could not be applied. */
  readonly summary: readonly string[]
}

interface Effect {
  readonly changes: CommandsChanges
  readonly says: string
}

type Run = (ctx: Context, found: Commandable, argument: string, present: Present) => Promise<Effect>

const move =
  (stateEvent: 'close' | 'reopen', from: string, says: string): Run =>
  async (ctx, found, _argument, present) => {
    if (present.state !== from) throw refused()
    await change(ctx, found, { stateEvent })
    return { changes: { stateEvent }, says: `${says} this ${nouns[found.kind]}.` }
  }

const lock =
  (discussionLocked: boolean): Run =>
  async (ctx, found) => {
    await change(ctx, found, { discussionLocked })
    return { changes: { discussionLocked }, says: `${discussionLocked ? 'Locked' : 'Unlocked'} the discussion.` }
  }

/** Names of people as mentions, which only reach those who can see the thing. */
const peopleIn = async (ctx: Context, found: Commandable, argument: string): Promise<number[]> => {
  const own = ctx.actor.kind === 'user' ? ctx.actor.username : ''
  const words = wordsIn(argument, '@').map((word) => `@${word === 'me' ? own : word}`)
  return (await mentionedIn(ctx, found, words.join(' '))).map(({ userId }) => userId)
}

const idsOf = (present: Present): readonly number[] => (present.assignees ?? []).map(({ id }) => id)

const namesOf = (present: Present, ids: readonly number[]): string =>
  (present.assignees ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ username }) => `@${username}`)
    .join(' ')

const assign: Run = async (ctx, found, argument, present) => {
  const added = await peopleIn(ctx, found, argument)
  if (!added.length) throw refused()
  const after = await change(ctx, found, { assignees: [...idsOf(present), ...added] })
  return { changes: { assigneeIds: idsOf(after) }, says: `Assigned ${namesOf(after, added)}.` }
}

const unassign: Run = async (ctx, found, argument, present) => {
  const removed = argument === '' ? idsOf(present) : await peopleIn(ctx, found, argument)
  const leaving = namesOf(present, removed)
  if (leaving === '') throw refused()
  const after = await change(ctx, found, { assignees: idsOf(present).filter((id) => !removed.includes(id)) })
  return { changes: { assigneeIds: idsOf(after) }, says: `Removed assignee ${leaving}.` }
}

interface Known {
  readonly id: number
  readonly name: string
}

/** Labels that there are; a command makes none. */
const labelsIn = async (ctx: Context, found: Commandable, argument: string): Promise<readonly Known[]> => {
  if (found.kind === 'epic') throw refused()
  const scope = scopeOf({ kind: 'project', project: found.project, access: found.access })
  const labels: Known[] = []
  for (const word of wordsIn(argument, '~')) {
    const label = await unlessRefused(findLabel(ctx, scope, /^\d{1,15}$/.test(word) ? Number(word) : word))
    if (label) labels.push(label)
  }
  if (!labels.length) throw refused()
  return labels
}

const shown = (labels: readonly Known[]): string =>
  `${labels.map(({ name }) => (name.includes(' ') ? `~"${name}"` : `~${name}`)).join(' ')} ${labels.length > 1 ? 'labels' : 'label'}`

const idsIn = (labels: readonly Known[]) => labels.map(({ id }) => id)
const namesIn = (labels: readonly Known[]) => labels.map(({ name }) => name)

const label: Run = async (ctx, found, argument) => {
  const labels = await labelsIn(ctx, found, argument)
  await change(ctx, found, { addLabels: namesIn(labels) })
  return { changes: { addLabelIds: idsIn(labels) }, says: `Added ${shown(labels)}.` }
}

const unlabel: Run = async (ctx, found, argument, present) => {
  if (argument === '') {
    if (!present.labels?.length) throw refused()
    await change(ctx, found, { labels: [] })
    return { changes: { labelIds: [] }, says: 'Removed all labels.' }
  }
  const labels = (await labelsIn(ctx, found, argument)).filter(({ name }) => present.labels?.includes(name))
  if (!labels.length) throw refused()
  await change(ctx, found, { removeLabels: namesIn(labels) })
  return { changes: { removeLabelIds: idsIn(labels) }, says: `Removed ${shown(labels)}.` }
}

const relabel: Run = async (ctx, found, argument) => {
  const labels = await labelsIn(ctx, found, argument)
  await change(ctx, found, { labels: namesIn(labels) })
  return { changes: { labelIds: idsIn(labels) }, says: `Replaced all labels with ${shown(labels)}.` }
}

const milestone: Run = async (ctx, found, argument) => {
  const title = /^%?"[^"]*"$/.test(argument) ? wordsIn(argument, '%')[0] : argument.replace(/^%/, '')
  if (!title) throw refused()
  const { milestone: set } = await change(ctx, found, { milestone: title })
  return { changes: { milestoneId: set?.id ?? null }, says: `Set the milestone to %"${title}".` }
}

const removeMilestone: Run = async (ctx, found, _argument, present) => {
  if (!present.milestone) throw refused()
  await change(ctx, found, { milestone: null })
  return { changes: { milestoneId: null }, says: `Removed %"${present.milestone.title}" milestone.` }
}

const confidential: Run = async (ctx, found) => {
  await change(ctx, found, { confidential: true })
  return { changes: { confidential: true }, says: `Made this ${nouns[found.kind]} confidential.` }
}

const title: Run = async (ctx, found, argument) => {
  await change(ctx, found, { title: argument })
  return { changes: { title: argument }, says: `Changed the title to "${argument}".` }
}

const award: Run = async (ctx, found, argument) => {
  const name = isAwardOnly(argument)
  if (name === undefined || found.kind === 'epic') throw refused()
  if (!may<'issue' | 'mergeRequest'>(ctx.actor, found, 'emoji.award')) throw refused()
  const target =
    found.kind === 'issue'
      ? { issueId: found.issue.id, mergeRequestId: null }
      : { issueId: null, mergeRequestId: found.mergeRequest.id }
  await give(ctx, target, { name })
  return { changes: { emojiAward: name }, says: `Gave :${name}:.` }
}

const todo =
  (todoEvent: 'add' | 'done'): Run =>
  async (ctx, found) => {
    const allowed = may<Commandable['kind']>(ctx.actor, found, 'todo.mark')
    if (ctx.actor.kind !== 'user' || !allowed) throw refused()
    await ctx.emit('todo.asked', { target: targetOf(found), userId: ctx.actor.id, done: todoEvent === 'done' })
    return { changes: { todoEvent }, says: todoEvent === 'add' ? 'Added a to-do item.' : 'Marked to-do item as done.' }
  }

const commands: Readonly<Record<CommandName, Run>> = {
  close: move('close', 'opened', 'Closed'),
  reopen: move('reopen', 'closed', 'Reopened'),
  assign,
  unassign,
  label,
  unlabel,
  relabel,
  milestone,
  remove_milestone: removeMilestone,
  todo: todo('add'),
  done: todo('done'),
  lock: lock(true),
  unlock: lock(false),
  confidential,
  title,
  award,
}

/** What a refusal of the platform leaves undefined. Refusals come before the first write, so nothing is half done. */
const unlessRefused = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isPlatformError(error)) return undefined
    throw error
  }
}

/** Does what the commands say, one after another. What the caller may not do, or cannot be done, is passed over and told. */
export async function obey(ctx: Context, on: Commandable, given: readonly GivenCommand[]): Promise<Obeyed> {
  let changes: CommandsChanges = {}
  const summary: string[] = []
  for (const { name, argument } of given) {
    const { found, present } = await again(ctx, on)
    const effect = await unlessRefused(commands[name](ctx, found, argument, present))
    if (effect) changes = { ...changes, ...effect.changes }
    summary.push(effect?.says ?? `Could not apply ${name} command.`)
  }
  return { changes, summary }
}
