import { hasAbility } from '../../../policy/authorize.ts'
import { singleEmojiName } from '../../../ports/markdown/single-emoji.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import { addAward, removeAward } from '../award-emoji/mutations.ts'
import { toNoteKey, toNoteTarget } from '../notes/noteable.ts'
import { setSubscribed } from '../subscriptions/mutations.ts'
import type { QuickActionHandler } from './handler.ts'
import { notApplicableError, targetNouns, updateTarget } from './target.ts'

const createStateHandler =
  (stateEvent: 'close' | 'reopen', from: string, verb: string): QuickActionHandler =>
  async (ctx, target, _argument, current) => {
    if (current.state !== from) throw notApplicableError()
    await updateTarget(ctx, target, { stateEvent })
    return { changes: { stateEvent }, message: `${verb} this ${targetNouns[target.kind]}.` }
  }

export const close = createStateHandler('close', 'opened', 'Closed')
export const reopen = createStateHandler('reopen', 'closed', 'Reopened')

const createLockHandler =
  (discussionLocked: boolean): QuickActionHandler =>
  async (ctx, target) => {
    await updateTarget(ctx, target, { discussionLocked })
    return { changes: { discussionLocked }, message: `${discussionLocked ? 'Locked' : 'Unlocked'} the discussion.` }
  }

export const lock = createLockHandler(true)
export const unlock = createLockHandler(false)

export const makeConfidential: QuickActionHandler = async (ctx, target) => {
  await updateTarget(ctx, target, { confidential: true })
  return { changes: { confidential: true }, message: `Made this ${targetNouns[target.kind]} confidential.` }
}

export const setTitle: QuickActionHandler = async (ctx, target, argument) => {
  await updateTarget(ctx, target, { title: argument })
  return { changes: { title: argument }, message: `Changed the title to "${argument}".` }
}

/** Removes an emoji that the current user has awarded. */
export const award: QuickActionHandler = async (ctx, target, argument) => {
  const name = singleEmojiName(argument)
  if (name === undefined || !hasAbility<QuickActionTarget['kind']>(ctx.actor, target, 'emoji.award'))
    throw notApplicableError()
  const { id, changed } = await addAward(ctx, toNoteKey(target), { name })
  if (!changed) await removeAward(ctx, toNoteKey(target), id)
  return { changes: { emojiAward: name }, message: `${changed ? 'Gave' : 'Removed'} :${name}:.` }
}

const createTodoHandler =
  (todoEvent: 'add' | 'done'): QuickActionHandler =>
  async (ctx, target) => {
    const allowed = hasAbility<QuickActionTarget['kind']>(ctx.actor, target, 'todo.create')
    if (ctx.actor.kind !== 'user' || !allowed) throw notApplicableError()
    await ctx.emit('todo.requested', { target: toNoteTarget(target), userId: ctx.actor.id, done: todoEvent === 'done' })
    return {
      changes: { todoEvent },
      message: todoEvent === 'add' ? 'Added a to-do item.' : 'Marked to-do item as done.',
    }
  }

export const addTodo = createTodoHandler('add')
export const finishTodo = createTodoHandler('done')

const createSubscriptionHandler =
  (subscriptionEvent: 'subscribe' | 'unsubscribe'): QuickActionHandler =>
  async (ctx, target) => {
    const allowed = hasAbility<QuickActionTarget['kind']>(ctx.actor, target, 'subscription.manage')
    if (ctx.actor.kind !== 'user' || !allowed) throw notApplicableError()
    const changed = await setSubscribed(ctx, target, ctx.actor.id, subscriptionEvent === 'subscribe')
    if (!changed) throw notApplicableError()
    const verb = subscriptionEvent === 'subscribe' ? 'Subscribed to' : 'Unsubscribed from'
    return { changes: { subscriptionEvent }, message: `${verb} this ${targetNouns[target.kind]}.` }
  }

export const subscribe = createSubscriptionHandler('subscribe')
export const unsubscribe = createSubscriptionHandler('unsubscribe')
