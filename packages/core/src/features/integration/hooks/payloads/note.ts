import type { Project } from '../../../../contract/project.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { CommitNote } from '../../../collaboration/commit-comments/discussion.ts'
import type { LineRangeEnd, Position } from '../../../collaboration/discussions/discussion.ts'
import { completeMergeRequests, mergeRequestColumns } from '../../../collaboration/merge-requests/queries.ts'
import type { Note, NoteTarget } from '../../../collaboration/notes/note.ts'
import { formatDiscussionId } from '../../../planning/issuables/discussion-id.ts'
import { completeIssues, issueColumns } from '../../../planning/issues/queries.ts'
import type { HookPayload } from '../delivery.ts'
import { withAbsoluteImages } from './absolute-images.ts'
import { buildEnvelope, type PayloadContext, toProjectUrl, toVisibilityLevel } from './common.ts'
import { buildIssueAttributes } from './issue.ts'
import { buildLabels } from './labels.ts'
import { buildMergeRequestAttributes } from './merge-request.ts'

/** What happened to a comment. */
interface NoteEvent {
  readonly action: 'create' | 'update'
  readonly note: Note
  readonly target: Pick<NoteTarget, 'kind' | 'id'>
}

/** A commented item: the name and value of its property, and the path of its page below the project. */
interface Commented {
  readonly property: HookPayload
  readonly path: string
}

const findIssue = async (
  { ctx, site }: PayloadContext,
  project: Project,
  id: number,
): Promise<Commented | undefined> => {
  const record = await ctx.db.selectFrom('issue').where('id', '=', id).select(issueColumns).executeTakeFirst()
  const [issue] = record ? await completeIssues(ctx, [record]) : []
  if (!issue) return undefined
  const [labels] = await buildLabels(ctx, project, issue.labels)
  return {
    property: { issue: { ...buildIssueAttributes(site, project, issue), labels } },
    path: `issues/${issue.iid}`,
  }
}

const findMergeRequest = async (
  payload: PayloadContext,
  project: Project,
  id: number,
): Promise<Commented | undefined> => {
  const { ctx } = payload
  const rows = ctx.db.selectFrom('mergeRequest').where('id', '=', id)
  const record = await rows.select(mergeRequestColumns).executeTakeFirst()
  const [mergeRequest] = record ? await completeMergeRequests(ctx, [record]) : []
  if (!mergeRequest) return undefined
  const [labels] = await buildLabels(ctx, project, mergeRequest.labels)
  const attributes = await buildMergeRequestAttributes(payload, project, mergeRequest)
  return { property: { merge_request: { ...attributes, labels } }, path: `merge_requests/${mergeRequest.iid}` }
}

const findSnippet = async (
  { ctx, site }: { readonly ctx: Pick<Context, 'db'>; readonly site: string },
  project: Project,
  id: number,
): Promise<Commented | undefined> => {
  const snippet = await ctx.db.selectFrom('snippet').where('id', '=', id).selectAll().executeTakeFirst()
  const path = `snippets/${id}`
  return (
    snippet && {
      path,
      property: {
        snippet: {
          id: snippet.id,
          title: snippet.title,
          description: withAbsoluteImages(site, project, snippet.description),
          content: snippet.content,
          author_id: snippet.authorId,
          project_id: snippet.projectId,
          created_at: snippet.createdAt,
          updated_at: snippet.updatedAt,
          file_name: snippet.fileName,
          expires_at: null,
          type: 'ProjectSnippet',
          visibility_level: toVisibilityLevel(snippet.visibility),
          url: `${toProjectUrl(site, project)}/-/${path}`,
        },
      },
    }
  )
}

const finders = { issue: findIssue, mergeRequest: findMergeRequest, snippet: findSnippet } as const

/** The kinds of items whose comments and emoji are sent. */
export type CommentedKind = keyof typeof finders

/** The property of a commented item, and the path of its page; undefined for a removed item. */
export const findCommented = (
  payload: PayloadContext,
  project: Project,
  { kind, id }: { readonly kind: CommentedKind; readonly id: number },
): Promise<Commented | undefined> => finders[kind](payload, project, id)

/** A position in payloads. */
const buildPosition = (position: Position): HookPayload => {
  const { baseSha, startSha, headSha, positionType, oldPath, newPath, oldLine, newLine, lineRange } = position
  const buildEnd = (end: LineRangeEnd) => ({
    line_code: end.lineCode,
    type: end.type,
    old_line: end.oldLine,
    new_line: end.newLine,
  })
  const { x, y, width, height } = position
  return {
    ...{ base_sha: baseSha, start_sha: startSha, head_sha: headSha, position_type: positionType },
    ...{ old_path: oldPath, new_path: newPath, old_line: oldLine, new_line: newLine },
    line_range: lineRange ? { start: buildEnd(lineRange.start), end: buildEnd(lineRange.end) } : null,
    ...(positionType === 'image' && { x, y, width, height }),
  }
}

/** The thread of a comment. A comment without replies is a thread of its own. */
interface Thread {
  readonly id: string
  readonly position: Position | null
}

const findThread = async ({ ctx }: PayloadContext, noteId: number): Promise<Thread> => {
  const rows = ctx.db.selectFrom('discussionNote')
  const own = await rows.where('noteId', '=', noteId).select('discussion').executeTakeFirst()
  const first = own?.discussion ?? noteId
  const row = await rows
    .where('discussion', '=', first)
    .where('position', 'is not', null)
    .select('position')
    .executeTakeFirst()
  return { id: formatDiscussionId(first), position: row?.position ?? null }
}

const findCommitThread = async ({ ctx }: PayloadContext, { id, position }: CommitNote): Promise<Thread> => {
  const row = ctx.db.selectFrom('commitComment').where('id', '=', id).select('discussion')
  return { id: formatDiscussionId((await row.executeTakeFirst())?.discussion ?? id), position }
}

/** The attributes of all comments. `path`: of the page of the commented item, below the project. */
const buildAttributes = (
  { site }: PayloadContext,
  project: Project,
  note: Pick<Note, 'id' | 'body' | 'authorId' | 'createdAt' | 'updatedAt' | 'type'>,
  { path, thread }: { readonly path: string; readonly thread: Thread },
): HookPayload => ({
  id: note.id,
  discussion_id: thread.id,
  note: withAbsoluteImages(site, project, note.body),
  description: withAbsoluteImages(site, project, note.body),
  author_id: note.authorId,
  created_at: note.createdAt,
  updated_at: note.updatedAt,
  project_id: project.id,
  attachment: null,
  line_code: thread.position?.lineCode ?? null,
  position: thread.position && buildPosition(thread.position),
  original_position: thread.position && buildPosition(thread.position),
  type: note.type,
  st_diff: null,
  url: `${toProjectUrl(site, project)}/-/${path}#note_${note.id}`,
})

/** The attributes of a comment on an issue, a merge request or a snippet. `path`: of the page of that item. */
export const buildNoteProperty = async (
  payload: PayloadContext,
  project: Project,
  note: Note,
  path: string,
): Promise<HookPayload> => ({
  ...buildAttributes(payload, project, note, { path, thread: await findThread(payload, note.id) }),
  commit_id: '',
  noteable_id: note.noteableId,
  noteable_type: note.noteableType,
  system: note.system,
  internal: note.internal,
})

/** A new or changed comment on an issue, a merge request or a snippet of a project. Undefined for other targets. */
export const buildNoteEvent = async (
  payload: PayloadContext,
  project: Project,
  { action, note, target }: NoteEvent,
): Promise<HookPayload | undefined> => {
  const commented =
    target.kind === 'epic' ? undefined : await findCommented(payload, project, { kind: target.kind, id: target.id })
  if (!commented) return undefined
  return {
    object_kind: 'note',
    event_type: note.confidential ? 'confidential_note' : 'note',
    ...(await buildEnvelope(payload, project, note.authorId)),
    project_id: project.id,
    object_attributes: {
      ...(await buildNoteProperty(payload, project, note, commented.path)),
      action,
    },
    ...commented.property,
  }
}

/** A new or changed comment on a commit. The commit is completed when the event is sent. */
export const buildCommitNoteEvent = async (
  payload: PayloadContext,
  project: Project,
  action: NoteEvent['action'],
  comment: CommitNote,
): Promise<HookPayload> => ({
  object_kind: 'note',
  event_type: 'note',
  ...(await buildEnvelope(payload, project, comment.authorId)),
  project_id: project.id,
  object_attributes: {
    ...buildAttributes(payload, project, comment, {
      path: `commit/${comment.sha}`,
      thread: await findCommitThread(payload, comment),
    }),
    commit_id: comment.sha,
    noteable_id: null,
    noteable_type: 'Commit',
    system: false,
    internal: false,
    action,
  },
  commit: { id: comment.sha },
})
