import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { defined } from '../../../shared/defined.ts'
import type { Issue } from '../../planning/issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { findMentionedUsers } from '../notes/mentions.ts'
import type { MentionedUser } from '../notes/note.ts'
import { finishTodos, type NewTodo, openTodo, openTodos } from './mutations.ts'
import { type TodoTarget, type TodoTargetKey, toTargetKey } from './todo-target.ts'

/** The current user, or the author of the target for actions of the host application. */
const authorIdFor = ({ actor }: Context, targetAuthorId: number) => (actor.kind === 'user' ? actor.id : targetAuthorId)

/** Loads a target with access level 0; read access is checked for each user separately. */
const loadTarget = async (
  ctx: Context,
  input: { issue: Issue } | { mergeRequest: MergeRequest },
): Promise<TodoTarget> => {
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

type Issuable = Pick<Issue, 'assignees' | 'description' | 'authorId'>

/** Creates todos for new assignees and for users newly mentioned in the description. */
const openForAssignedAndMentioned = async (ctx: Context, target: TodoTarget, after: Issuable, before?: Issuable) => {
  const todo = { target: toTargetKey(target), authorId: authorIdFor(ctx, after.authorId) }
  const assigned = after.assignees
    .filter((assignee) => !before?.assignees.some(({ id }) => id === assignee.id))
    .map(({ id: userId }): NewTodo => ({ ...todo, userId, action: 'assigned' }))
  const isNewText = after.description !== null && after.description !== before?.description
  const mentioned = isNewText
    ? await findMentionedUsers(ctx, target, defined(after.description), before?.description ?? '')
    : []
  await openTodos(ctx, [...assigned, ...toMentionTodos(mentioned, todo)])
}

const finishOwnTodos = async (ctx: Context, kind: TodoTargetKey['kind'], id: number) => {
  if (ctx.actor.kind === 'user') await finishTodos(ctx, ctx.actor.id, { kind, id })
}

/** Create and finish todos on signals. The todos of a removed target are deleted by foreign keys. */
export const todoReactions: readonly Reaction[] = [
  defineReaction('issue.opened', async (ctx, { issue }) =>
    openForAssignedAndMentioned(ctx, await loadTarget(ctx, { issue }), issue),
  ),
  defineReaction('issue.updated', async (ctx, { before, after }) =>
    openForAssignedAndMentioned(ctx, await loadTarget(ctx, { issue: after }), after, before),
  ),
  defineReaction('mergeRequest.opened', async (ctx, { mergeRequest }) =>
    openForAssignedAndMentioned(ctx, await loadTarget(ctx, { mergeRequest }), mergeRequest),
  ),
  defineReaction('mergeRequest.updated', async (ctx, { before, after }) =>
    openForAssignedAndMentioned(ctx, await loadTarget(ctx, { mergeRequest: after }), after, before),
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
  defineReaction('mergeRequest.closed', (ctx, { mergeRequest }) =>
    finishOwnTodos(ctx, 'mergeRequest', mergeRequest.id),
  ),
  defineReaction('mergeRequest.merged', (ctx, { mergeRequest }) =>
    finishOwnTodos(ctx, 'mergeRequest', mergeRequest.id),
  ),
  defineReaction('emoji.awarded', async (ctx, { issueId, mergeRequestId, userId }) => {
    if (issueId !== null) await finishTodos(ctx, userId, { kind: 'issue', id: issueId })
    if (mergeRequestId !== null) await finishTodos(ctx, userId, { kind: 'mergeRequest', id: mergeRequestId })
  }),
  defineReaction('code.pushed', async (ctx, { projectId, userId, push }) => {
    if (push.refType !== 'branch' || userId === null) return
    const mergeRequests = await ctx.db
      .selectFrom('mergeRequest')
      .where('sourceProjectId', '=', projectId)
      .where('sourceBranch', '=', push.ref)
      .where('state', '=', 'opened')
      .select('id')
      .execute()
    for (const { id } of mergeRequests) await finishTodos(ctx, userId, { kind: 'mergeRequest', id })
  }),
]
