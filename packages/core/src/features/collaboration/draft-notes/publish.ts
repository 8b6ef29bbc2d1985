import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { extractQuickActions } from '../../planning/quick-actions/parser.ts'
import { insertDiscussionNote, insertReply, setResolved } from '../discussions/mutations.ts'
import { findDiscussion } from '../discussions/queries.ts'
import { announceNote, storeNote } from '../notes/store-note.ts'
import { executeQuickActions } from '../quick-actions/execute.ts'
import type { NewSuggestion } from '../suggestions/queries.ts'
import type { DraftRow } from './queries.ts'

/** A discussion can have been removed since the draft was written; its replies are then published on their own. */
const findTarget = async (ctx: Context, subject: Subjects['mergeRequest'], firstNoteId: number | null) => {
  if (firstNoteId === null) return undefined
  const discussion = await findDiscussion(ctx, subject, firstNoteId)
  return discussion && { discussion, firstNoteId }
}

const insertText = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  draft: DraftRow,
  body: string,
  suggestions?: readonly NewSuggestion[],
) => {
  // Calls of the host name the author of a note; other callers publish their own drafts only.
  const content = { body, ...(ctx.actor.kind === 'system' && { author: draft.authorId }) }
  const target = await findTarget(ctx, subject, draft.discussion)
  if (target) await insertReply(ctx, subject, target, content, suggestions)
  else if (draft.position)
    await insertDiscussionNote(
      ctx,
      subject,
      { ...content, internal: false },
      { position: draft.position, ...(suggestions && { suggestions }) },
    )
  else await announceNote(ctx, subject, await storeNote(ctx, subject, { ...content, internal: false }))
}

const resolveDiscussion = async (ctx: Context, subject: Subjects['mergeRequest'], discussion: number) => {
  if (!hasAbility(ctx.actor, subject, 'discussion.resolve')) return
  const { notes = [] } = (await findDiscussion(ctx, subject, discussion)) ?? {}
  if (notes.some(({ resolvable }) => resolvable)) await setResolved(ctx, notes, true)
}

/** Makes a draft a comment, executes its quick actions, and removes the draft. */
export const publishDraft = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  draft: DraftRow,
  suggestions?: readonly NewSuggestion[],
): Promise<void> => {
  const { text, actions } =
    ctx.actor.kind === 'user' ? extractQuickActions(draft.body) : { text: draft.body, actions: [] }
  if (text !== '') await insertText(ctx, subject, draft, text, suggestions)
  if (draft.resolveDiscussion && draft.discussion !== null) await resolveDiscussion(ctx, subject, draft.discussion)
  if (actions.length) await executeQuickActions(ctx, subject, actions)
  await ctx.db.deleteFrom('draftNote').where('id', '=', draft.id).execute()
}

/** Stores the comment that ends a review, and executes its quick actions. */
export const publishSummary = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  { body, internal }: { readonly body: string; readonly internal: boolean },
): Promise<void> => {
  const { text, actions } = ctx.actor.kind === 'user' ? extractQuickActions(body) : { text: body, actions: [] }
  if (text !== '') await announceNote(ctx, subject, await storeNote(ctx, subject, { body: text, internal }))
  if (actions.length) await executeQuickActions(ctx, subject, actions)
}
