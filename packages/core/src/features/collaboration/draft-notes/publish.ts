import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { extractQuickActions } from '../../planning/quick-actions/parser.ts'
import { insertDiscussionNote, insertReply, setResolved } from '../discussions/mutations.ts'
import { findDiscussion } from '../discussions/queries.ts'
import { setReviewState } from '../merge-requests/reviewers.ts'
import { announceNote, storeNote } from '../notes/store-note.ts'
import { executeQuickActions } from '../quick-actions/execute.ts'
import { findPosition, type NewSuggestion } from '../suggestions/queries.ts'
import { withSuggestions } from '../suggestions/with-suggestions.ts'
import { type DraftRow, selectDrafts } from './queries.ts'

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

/** Makes a draft a comment, executes its quick actions, and removes the draft. Without an effect on a published one. */
const publishDraft = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  draft: DraftRow,
  suggestions?: readonly NewSuggestion[],
): Promise<void> => {
  // First, because `/submit_review` in a draft publishes those that are left.
  const { numDeletedRows } = await ctx.db.deleteFrom('draftNote').where('id', '=', draft.id).executeTakeFirst()
  if (!numDeletedRows) return
  const { text, actions } =
    ctx.actor.kind === 'user' ? extractQuickActions(draft.body) : { text: draft.body, actions: [] }
  if (text !== '') await insertText(ctx, subject, draft, text, suggestions)
  if (draft.resolveDiscussion && draft.discussion !== null) await resolveDiscussion(ctx, subject, draft.discussion)
  if (actions.length) await executeQuickActions(ctx, subject, actions)
}

/**
 * Publishes drafts, by default all that the current user has on the merge request, oldest first. Authors who are reviewers have then
 * reviewed it. `end` runs in the same transaction.
 */
export const publishDrafts = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  drafts: readonly DraftRow[] | undefined,
  end: (ctx: Context) => Promise<void>,
): Promise<void | Deferred<void>> => {
  const { id } = subject.mergeRequest
  const selected = drafts ?? (await selectDrafts(ctx, id).orderBy('id').execute())
  const texts = await awaitAll(
    selected.map(async ({ body, position, discussion }) => ({
      body,
      position: discussion === null ? position : await findPosition(ctx, discussion),
    })),
  )
  return withSuggestions(ctx, subject, texts, async (later, suggestions) => {
    for (const [at, draft] of selected.entries()) await publishDraft(later, subject, draft, suggestions[at])
    for (const authorId of new Set(selected.map((draft) => draft.authorId)))
      await setReviewState(later, id, authorId, 'reviewed', ['unreviewed', 'review_started'])
    await end(later)
  })
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
