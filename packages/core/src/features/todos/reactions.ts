import type { Context } from '../../kernel/context.ts'
import type { Noteable, Subjects } from '../../policy.ts'
import { type Reaction, when } from '../../signals.ts'
import type { Issue } from '../issues/issue.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { mentionedIn } from '../notes/mentioned.ts'
import type { Mentioned } from '../notes/note.ts'
import { findProject } from '../projects/queries.ts'
import { finishTodos, openTodo } from './opening.ts'
import { placeOf, type TodoPlace, type TodoTarget } from './target.ts'

/** Whoever acts; what the host itself does is done in the name of whoever wrote the thing. */
const causer = ({ actor }: Context, writerId: number) => (actor.kind === 'user' ? actor.id : writerId)

/** The thing as a stranger finds it: enough to ask for each user whether they can read it. */
const foundBy = async (ctx: Context, thing: { issue: Issue } | { mergeRequest: MergeRequest }): Promise<TodoTarget> => {
  const { projectId } = 'issue' in thing ? thing.issue : thing.mergeRequest
  const project = (await findProject(ctx, projectId)) as Subjects['project']['project']
  return 'issue' in thing
    ? { kind: 'issue', project, access: 0, issue: thing.issue, assigned: false }
    : { kind: 'mergeRequest', project, access: 0, mergeRequest: thing.mergeRequest }
}

const openForMentioned = async (
  ctx: Context,
  place: TodoPlace,
  authorId: number,
  mentioned: readonly Mentioned[],
  noteId?: number,
) => {
  for (const { userId, direct } of mentioned) {
    const action = direct ? 'directly_addressed' : 'mentioned'
    await openTodo(ctx, { userId, authorId, action, place, ...(noteId !== undefined && { noteId }) })
  }
}

type Issuable = Pick<Issue, 'assignees' | 'description' | 'authorId'>

/** Who is newly assigned, and whom the description newly mentions. */
const ask = async (ctx: Context, found: TodoTarget, now: Issuable, before?: Issuable) => {
  const place = placeOf(found)
  const authorId = causer(ctx, now.authorId)
  for (const { id: userId } of now.assignees) {
    if (before?.assignees.some(({ id }) => id === userId)) continue
    await openTodo(ctx, { userId, authorId, action: 'assigned', place })
  }
  if (now.description === null || now.description === before?.description) return
  const mentioned = await mentionedIn(ctx, found as Noteable, now.description, before?.description ?? '')
  await openForMentioned(ctx, place, authorId, mentioned)
}

const finish = async (ctx: Context, kind: TodoPlace['kind'], id: number) => {
  if (ctx.actor.kind === 'user') await finishTodos(ctx, ctx.actor.id, { kind, id })
}

/** How todos arise and end by themselves. Removed things take theirs along. */
export const attention: readonly Reaction[] = [
  when('issue.opened', async (ctx, { issue }) => ask(ctx, await foundBy(ctx, { issue }), issue)),
  when('issue.updated', async (ctx, { before, after }) =>
    ask(ctx, await foundBy(ctx, { issue: after }), after, before),
  ),
  when('mergeRequest.opened', async (ctx, { mergeRequest }) =>
    ask(ctx, await foundBy(ctx, { mergeRequest }), mergeRequest),
  ),
  when('mergeRequest.updated', async (ctx, { before, after }) =>
    ask(ctx, await foundBy(ctx, { mergeRequest: after }), after, before),
  ),
  when('note.created', async (ctx, { note, target: { kind, ...place }, mentioned }) => {
    if (kind === 'snippet') return
    // First done, then asked: whoever mentions themselves wants to be reminded.
    await finishTodos(ctx, note.authorId, { kind, id: place.id })
    await openForMentioned(ctx, { kind, ...place }, note.authorId, mentioned, note.id)
  }),
  when('note.updated', async (ctx, { note, target: { kind, ...place }, mentioned }) => {
    if (kind === 'snippet') return
    await openForMentioned(ctx, { kind, ...place }, causer(ctx, note.authorId), mentioned, note.id)
  }),
  when('todo.asked', async (ctx, { target: { kind, ...place }, userId, done }) => {
    if (kind === 'snippet') return
    if (done) await finishTodos(ctx, userId, { kind, id: place.id })
    else await openTodo(ctx, { userId, authorId: userId, action: 'marked', place: { kind, ...place } })
  }),
  when('issue.closed', (ctx, { issue }) => finish(ctx, 'issue', issue.id)),
  when('mergeRequest.closed', (ctx, { mergeRequest }) => finish(ctx, 'mergeRequest', mergeRequest.id)),
  when('mergeRequest.merged', (ctx, { mergeRequest }) => finish(ctx, 'mergeRequest', mergeRequest.id)),
  when('emoji.given', async (ctx, { issueId, mergeRequestId, userId }) => {
    if (issueId !== null) await finishTodos(ctx, userId, { kind: 'issue', id: issueId })
    if (mergeRequestId !== null) await finishTodos(ctx, userId, { kind: 'mergeRequest', id: mergeRequestId })
  }),
  when('code.pushed', async (ctx, { projectId, userId, push }) => {
    if (push.refType !== 'branch' || userId === null) return
    const touched = await ctx.db
      .selectFrom('mergeRequest')
      .where('sourceProjectId', '=', projectId)
      .where('sourceBranch', '=', push.ref)
      .where('state', '=', 'opened')
      .select('id')
      .execute()
    for (const { id } of touched) await finishTodos(ctx, userId, { kind: 'mergeRequest', id })
  }),
]
