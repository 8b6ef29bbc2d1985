import * as v from 'valibot'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { invalid, invalidInput } from '../../../kernel/errors.ts'
import { atLeastOne, Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { assertCanReply, assertValidPosition, getDiscussion } from '../discussions/mutations.ts'
import { PositionInput, toPosition } from '../discussions/position.ts'
import { withVerifiedPosition } from '../discussions/with-position.ts'
import { submitReview } from '../merge-request-approvals/review.ts'
import { setReviewState } from '../merge-requests/reviewers.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { resolveInternal } from '../notes/internal-notes.ts'
import { assertValidBody } from '../notes/mutations.ts'
import type { DraftNote } from './draft-note.ts'
import { publishDrafts, publishSummary } from './publish.ts'
import { getDraft, hasDraft, selectDrafts, toDraftNote } from './queries.ts'

/** One transaction publishes all drafts of a user on a merge request. */
const maxDrafts = 100

const draftInput = {
  /** Id of a draft note of the current user on this merge request. */
  draftNote: Id,
}

const assertBelowLimit = async ({ db }: Context, mergeRequestId: number, authorId: number) => {
  const last = await db
    .selectFrom('draftNote')
    .where('mergeRequestId', '=', mergeRequestId)
    .where('authorId', '=', authorId)
    .offset(maxDrafts - 1)
    .limit(1)
    .select('id')
    .executeTakeFirst()
  if (last) throw invalid(`A user can have at most ${maxDrafts} draft notes on a merge request`)
}

/** Comments on merge requests that only their author sees until they are published. */
export const draftNotes = {
  /** Lists the current user's draft notes on a merge request, oldest first; all of them for the host application. */
  list: query({
    on: mergeRequest,
    can: 'draftNote.read',
    input: pagingEntries,
    run: (ctx, paging, { mergeRequest }) =>
      paginate(selectDrafts(ctx, mergeRequest.id).orderBy('id'), paging, toDraftNote),
  }),

  /** Gets a draft note of the current user. */
  get: query({
    on: mergeRequest,
    can: 'draftNote.read',
    input: draftInput,
    run: async (ctx, { draftNote }, { mergeRequest }) => toDraftNote(await getDraft(ctx, mergeRequest.id, draftNote)),
  }),

  /**
   * Stores a comment that only the current user sees until it is published. A user can have 100 draft notes on a merge request.
   *
   * @throws PlatformError `invalid_input` for an incomplete position, or a resolution without a discussion; `not_found`
   * for an unknown discussion; `invalid` for a position outside the diff, if the project has a repository
   */
  create: command({
    on: mergeRequest,
    can: 'draftNote.create',
    serializes: 'project',
    input: {
      /** Text in Markdown, not blank, at most 1,000,000 characters. Quick actions are executed when it is published. */
      note: CheckedText,
      /** Id of the discussion that it replies to, 40 hexadecimal digits. Default: none, for a new comment. */
      inReplyToDiscussionId: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(40)))),
      /** Whether publishing it resolves the discussion that it replies to. */
      resolveDiscussion: v.optional(v.boolean(), false),
      /** SHA of the commit that it is about, at most 64 hexadecimal digits. Stored without effect. */
      commitId: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{4,64}$/, 'is invalid')))),
      /** Position in the diff. Default: none, for a comment on the whole merge request. Ignored for a reply. */
      position: v.optional(PositionInput),
      /** Id or username of the author: required for calls of the host, `forbidden` for users. */
      author: v.optional(IdOrName),
    },
    async run(ctx, input, subject) {
      const { note: body, inReplyToDiscussionId, resolveDiscussion, commitId = null, author } = input
      const position = input.position && toPosition(input.position)
      assertValidBody(body, 'create')
      assertValidPosition(subject, position)
      if (resolveDiscussion) {
        if (!inReplyToDiscussionId)
          throw invalidInput([{ fields: ['resolveDiscussion'], message: 'requires a discussion' }])
        assertAbility(ctx.actor, subject, 'discussion.resolve')
      }
      return withVerifiedPosition(
        ctx,
        subject,
        { position: inReplyToDiscussionId ? undefined : position },
        async (later, verified): Promise<DraftNote> => {
          const target = inReplyToDiscussionId ? await getDiscussion(later, subject, inReplyToDiscussionId) : undefined
          if (target) assertCanReply(target.discussion)
          const discussion = target?.firstNoteId ?? null
          const authorId = await resolveAuthorId(later, author)
          const mergeRequestId = subject.mergeRequest.id
          await assertBelowLimit(later, mergeRequestId, authorId)
          const values = {
            ...{ mergeRequestId, authorId, body, discussion, resolveDiscussion, commitId },
            position: discussion === null ? (verified ?? null) : null,
          }
          const row = await later.db
            .insertInto('draftNote')
            .values({ ...values, createdAt: later.now, updatedAt: later.now } satisfies CompleteRow<'draftNote'>)
            .returning('id')
            .executeTakeFirstOrThrow()
          await setReviewState(later, mergeRequestId, authorId, 'review_started', ['unreviewed'])
          return toDraftNote({ id: row.id, ...values })
        },
      )
    },
  }),

  /**
   * Changes the text or the position of a draft note. At least one of both is required.
   *
   * @throws PlatformError `invalid_input` for an incomplete position
   */
  update: command({
    on: mergeRequest,
    can: 'draftNote.create',
    serializes: 'project',
    input: {
      ...draftInput,
      /** New text in Markdown, not blank, at most 1,000,000 characters. */
      note: v.optional(CheckedText),
      /** New position in the diff. Ignored for a reply. */
      position: v.optional(PositionInput),
    },
    rules: [atLeastOne('note', 'position')],
    async run(ctx, { draftNote: id, note, position: positionInput }, subject) {
      const draft = await getDraft(ctx, subject.mergeRequest.id, id)
      const position = positionInput && toPosition(positionInput)
      if (note !== undefined) assertValidBody(note, 'update')
      assertValidPosition(subject, position)
      return withVerifiedPosition(
        ctx,
        subject,
        { position: draft.discussion === null ? position : undefined },
        async (later, verified): Promise<DraftNote> => {
          const change = { ...(note !== undefined && { body: note }), ...(verified && { position: verified }) }
          await updateChanged(later, 'draftNote', id, change)
          return toDraftNote({ ...draft, ...change })
        },
      )
    },
  }),

  /** Removes a draft note without publishing it. */
  remove: command({
    on: mergeRequest,
    can: 'draftNote.remove',
    serializes: 'project',
    input: draftInput,
    async run(ctx, { draftNote: id }, { mergeRequest }) {
      const { authorId } = await getDraft(ctx, mergeRequest.id, id)
      await assertRowUnmodified(ctx, 'draftNote', id)
      await ctx.db.deleteFrom('draftNote').where('id', '=', id).execute()
      if (!(await hasDraft(ctx, mergeRequest.id, authorId)))
        await setReviewState(ctx, mergeRequest.id, authorId, 'unreviewed', ['review_started'])
    },
  }),

  /**
   * Publishes a draft note of the current user on a merge request, or all of them, oldest first: each becomes a comment of its
   * author, and its quick actions are executed. Authors who are reviewers have then reviewed it. The host application publishes those
   * of all users.
   *
   * @throws PlatformError `forbidden` for an internal `note` of a user who cannot read internal notes
   */
  publish: command({
    on: mergeRequest,
    can: 'draftNote.create',
    serializes: 'project',
    input: {
      /** Id of a draft note on this merge request. Default: all draft notes. */
      draftNote: v.optional(Id),
      /** Comment that ends the review, in Markdown: not blank, at most 1,000,000 characters. Default: none. */
      note: v.optional(CheckedText),
      /** Whether `note` is internal: only reporters and above can read it. Default: false. */
      internal: v.optional(v.boolean()),
      /**
       * Result of the review. Without an effect on authors who do not review. With `requested_changes`, the current user becomes a
       * reviewer, and an approval is withdrawn.
       */
      reviewerState: v.optional(v.picklist(['reviewed', 'requested_changes'])),
    },
    async run(ctx, { draftNote: id, note, internal, reviewerState }, subject): Promise<void | Deferred<void>> {
      if (note !== undefined) assertValidBody(note, 'create')
      const summary =
        note === undefined ? undefined : { body: note, internal: resolveInternal(ctx, subject, { internal }) }
      const selected = id === undefined ? undefined : [await getDraft(ctx, subject.mergeRequest.id, id)]
      return publishDrafts(ctx, subject, selected, async (later) => {
        if (summary) await publishSummary(later, subject, summary)
        if (reviewerState) await submitReview(later, subject, reviewerState)
      })
    },
  }),
}
