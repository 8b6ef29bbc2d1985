import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { InternalId } from '../../../kernel/inputs.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { parseDiscussionId } from '../issuables/discussion-id.ts'
import type { FollowUp } from './issue.ts'

export const followUpInput = {
  /**
   * Number (iid) of a merge request of the project, whose open discussions continue in the issue: they are the default description, and are
   * resolved if the current user may do so. Ignored if the current user cannot read it.
   */
  mergeRequestToResolveDiscussionsOf: v.optional(InternalId),
  /** Id of a discussion, 40 hexadecimal digits: only this one instead of all of the merge request. */
  discussionToResolve: v.optional(v.pipe(v.string(), v.maxLength(40))),
}

interface Request {
  readonly mergeRequestToResolveDiscussionsOf?: number | undefined
  readonly discussionToResolve?: string | undefined
}

/** Internal notes stay out: their text would become part of the issue. */
const selectOpenNotes = (ctx: Context, projectId: number, mergeRequest: number) =>
  ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('note', 'note.mergeRequestId', 'mergeRequest.id')
    .innerJoin('discussionNote', 'discussionNote.noteId', 'note.id')
    .innerJoin('user', 'user.id', 'note.authorId')
    .where('mergeRequest.projectId', '=', projectId)
    .where('mergeRequest.iid', '=', mergeRequest)
    .where('note.internal', '=', false)
    .where('discussionNote.resolvedAt', 'is', null)
    .orderBy('note.id')
    .select(['note.id', 'note.body', 'user.username', 'discussionNote.discussion'])

type OpenNote = Awaited<ReturnType<ReturnType<typeof selectOpenNotes>['executeTakeFirstOrThrow']>>

const describeDiscussion = ([first, ...replies]: readonly OpenNote[], mergeRequestUrl: string): string => {
  if (first === undefined) return ''
  const more = replies.length ? ` (+${replies.length} ${replies.length === 1 ? 'comment' : 'comments'})` : ''
  const quote = first.body.split('\n').map((line) => `    > ${line}`)
  const link = `[discussion](${mergeRequestUrl}#note_${first.id})`
  return [`- [ ] @${first.username} started a ${link}:${more}`, '', ...quote].join('\n')
}

/** The discussions that a new issue continues, and the description for them; undefined for none. */
export const readFollowUp = async (
  ctx: Context,
  subject: Subjects['project'],
  { mergeRequestToResolveDiscussionsOf: mergeRequest, discussionToResolve }: Request,
): Promise<(FollowUp & { readonly description: string }) | undefined> => {
  if (mergeRequest === undefined || !hasAbility<'project'>(ctx.actor, subject, 'mergeRequest.list')) return undefined
  const only = discussionToResolve === undefined ? undefined : (parseDiscussionId(discussionToResolve) ?? 0)
  const open = await selectOpenNotes(ctx, subject.project.id, mergeRequest).execute()
  const notes = Map.groupBy(
    open.filter(({ discussion }) => only === undefined || discussion === only),
    ({ discussion }) => discussion,
  )
  if (!notes.size) return undefined
  const noun = notes.size === 1 ? 'discussion' : 'discussions'
  const url = `${ctx.call.siteUrl ?? ''}/${subject.project.fullPath}/-/merge_requests/${mergeRequest}`
  return {
    mergeRequest,
    discussions: [...notes.keys()],
    description: [
      `The following ${noun} from !${mergeRequest} should be addressed:`,
      ...[...notes.values()].map((thread) => describeDiscussion(thread, url)),
    ].join('\n\n'),
  }
}
