import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { defined } from '../../../shared/defined.ts'
import type { Epic } from '../../planning/epics/epic.ts'
import type { Issue } from '../../planning/issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'
import { findMentionedUsers } from '../notes/mentions.ts'
import type { MentionedUser } from '../notes/note.ts'
import { finishTodos, type NewTodo, openTodo, openTodos } from './mutations.ts'
import { type TodoTarget, type TodoTargetKey, toTargetKey } from './todo-target.ts'

/** The current user, or the author of the target for actions of the host application. */
const authorIdFor = ({ actor }: Context, targetAuthorId: number) => (actor.kind === 'user' ? actor.id : targetAuthorId)

/** Loads a target with access level 0; read access is checked for each user separately. */
const loadTarget = async (
  ctx: Context,
  input: { issue: Issue } | { mergeRequest: MergeRequest } | { epic: Epic },
): Promise<TodoTarget> => {
  if ('epic' in input) {
    const group = defined(await findGroup(ctx, input.epic.groupId))
    return { kind: 'epic', group, access: 0, epic: input.epic }
  }
  const { projectId } = 'issue' in input ? input.issue : input.mergeRequest
  const project = defined(await findProject(ctx, projectId))
  return 'issue' in input
    ? { kind: 'issue', project, access: 0, issue: input.issue, isAssignee: false }
    : { kind: 'mergeRequest', project, access: 0, mergeRequest: input.mergeRequest }
}

const toMentionTodos = (
  mentioned: readonly MentionedUser[],
  todo: Pick<NewTodo, 'target' | 'authorId' | 'noteId'>,
): NewTodo[] =>
  mentioned.map(({ userId, direct }) => ({ ...todo, userId, action: direct ? 'directly_addressed' : 'mentioned' }))

/** The part of an issue, merge request or epic whose changes concern users. */
interface Item {
  readonly authorId: number
  readonly title: string
  readonly description: string | null
  readonly labels: readonly string[]
  readonly milestone?: { readonly id: number } | null
  readonly assignees?: Users
  readonly reviewers?: Users
  readonly targetBranch?: string
}

type Users = readonly { readonly id: number }[]

const addedTo = (after: Users = [], before: Users = []): readonly number[] =>
  after.map(({ id }) => id).filter((userId) => !before.some(({ id }) => id === userId))

/** Whether a change by the user ends the user's to-do items: any but an assignment to oneself. */
const isDone = (before: Item, after: Item, userId: number): boolean => {
  const users = [...addedTo(after.assignees, before.assignees), ...addedTo(before.assignees, after.assignees)]
  return (
    users.some((id) => id !== userId) ||
    addedTo(before.assignees, after.assignees).length > 0 ||
    addedTo(after.reviewers, before.reviewers).length + addedTo(before.reviewers, after.reviewers).length > 0 ||
    after.labels.join('\n') !== before.labels.join('\n') ||
    after.milestone?.id !== before.milestone?.id ||
    (['title', 'description', 'targetBranch'] as const).some((field) => after[field] !== before[field])
  )
}

/** Creates to-do items for new assignees and reviewers, and for users newly mentioned in the description. */
const openForItem = async (ctx: Context, target: TodoTarget, after: Item, before?: Item) => {
  const key = toTargetKey(target)
  // Finish before opening, so that users who mention themselves get a new one.
  if (before && ctx.actor.kind === 'user' && isDone(before, after, ctx.actor.id))
    await finishTodos(ctx, ctx.actor.id, key)
  const todo = { target: key, authorId: authorIdFor(ctx, after.authorId) }
  const open = (ids: readonly number[], action: NewTodo['action']) =>
    ids.map((userId): NewTodo => ({ ...todo, userId, action }))
  const assigned = open(addedTo(after.assignees, before?.assignees), 'assigned')
  const reviewing = open(addedTo(after.reviewers, before?.reviewers), 'review_requested')
  const isNewText = after.description !== null && after.description !== before?.description
  const mentioned = isNewText
    ? await findMentionedUsers(ctx, target, defined(after.description), before?.description ?? '')
    : []
  await openTodos(ctx, [...assigned, ...reviewing, ...toMentionTodos(mentioned, todo)])
}

const readNoteItem = ({ db }: Context, noteId: number) =>
  db
    .selectFrom('note')
    .where('id', '=', noteId)
    .select(['issueId', 'mergeRequestId', 'epicId'])
    .executeTakeFirstOrThrow()

const finishOwnTodos = async (ctx: Context, kind: TodoTargetKey['kind'], id: number) => {
  if (ctx.actor.kind === 'user') await finishTodos(ctx, ctx.actor.id, { kind, id })
}

/** Create and finish todos on signals. The todos of a removed target are deleted by foreign keys. */
export const todoReactions: readonly Reaction[] = [
  defineReaction('issue.opened', async (ctx, { issue }) => openForItem(ctx, await loadTarget(ctx, { issue }), issue)),
  defineReaction('issue.updated', async (ctx, { before, after }) =>
    openForItem(ctx, await loadTarget(ctx, { issue: after }), after, before),
  ),
  defineReaction('mergeRequest.opened', async (ctx, { mergeRequest }) =>
    openForItem(ctx, await loadTarget(ctx, { mergeRequest }), mergeRequest),
  ),
  defineReaction('mergeRequest.updated', async (ctx, { before, after }) =>
    openForItem(ctx, await loadTarget(ctx, { mergeRequest: after }), after, before),
  ),
  defineReaction('epic.opened', async (ctx, { epic }) => openForItem(ctx, await loadTarget(ctx, { epic }), epic)),
  defineReaction('epic.updated', async (ctx, { before, after }) =>
    openForItem(ctx, await loadTarget(ctx, { epic: after }), after, before),
  ),
  defineReaction('note.created', async (ctx, { note, target: { kind, ...ref }, mentioned }) => {
    if (kind === 'snippet') return
    // Finish before opening, so that authors who mention themselves get a new todo.
    await finishTodos(ctx, note.authorId, { kind, id: ref.id })
    const todo = { target: { kind, ...ref }, authorId: note.authorId, noteId: note.id }
    await openTodos(ctx, toMentionTodos(mentioned, todo))
  }),
  defineReaction('note.updated', async (ctx, { note, target: { kind, ...ref }, mentioned }) => {
    if (kind === 'snippet') return
    const todo = { target: { kind, ...ref }, authorId: authorIdFor(ctx, note.authorId), noteId: note.id }
    await openTodos(ctx, toMentionTodos(mentioned, todo))
  }),
  defineReaction('todo.requested', async (ctx, { target: { kind, ...ref }, userId, done }) => {
    if (kind === 'snippet') return
    if (done) await finishTodos(ctx, userId, { kind, id: ref.id })
    else await openTodo(ctx, { userId, authorId: userId, action: 'marked', target: { kind, ...ref } })
  }),
  defineReaction('issue.closed', (ctx, { issue }) => finishOwnTodos(ctx, 'issue', issue.id)),
  defineReaction('epic.closed', (ctx, { epic }) => finishOwnTodos(ctx, 'epic', epic.id)),
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    finishOwnTodos(ctx, 'mergeRequest', mergeRequest.id),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    finishOwnTodos(ctx, 'mergeRequest', mergeRequest.id),
  ),
  defineReaction('mergeRequest.approvalAdded', (ctx, { mergeRequestId: id, userId }) =>
    finishTodos(ctx, userId, { kind: 'mergeRequest', id }),
  ),
  defineReaction('emoji.awarded', async (ctx, { noteId, userId, ...item }) => {
    const { issueId, mergeRequestId, epicId } = noteId === null ? item : await readNoteItem(ctx, noteId)
    if (issueId !== null) await finishTodos(ctx, userId, { kind: 'issue', id: issueId })
    if (mergeRequestId !== null) await finishTodos(ctx, userId, { kind: 'mergeRequest', id: mergeRequestId })
    if (epicId !== null) await finishTodos(ctx, userId, { kind: 'epic', id: epicId })
  }),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push }) => {
    if (push.refType !== 'branch' || userId === null) return
    for (const { id } of await selectOpenFrom(ctx, projectId, push.ref ?? '')
      .select('mergeRequest.id')
      .execute())
      await finishTodos(ctx, userId, { kind: 'mergeRequest', id })
  }),
]
