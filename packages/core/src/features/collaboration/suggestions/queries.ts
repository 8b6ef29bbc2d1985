import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Position } from '../discussions/discussion.ts'
import type { Suggestion } from './suggestion.ts'

/** A suggestion of a note that is being stored. */
export interface NewSuggestion {
  readonly path: string
  readonly headSha: string
  readonly fromLine: number
  readonly toLine: number
  readonly fromContent: string
  readonly toContent: string
}

const columns = [
  'suggestion.id',
  'suggestion.noteId',
  'suggestion.path',
  'suggestion.headSha',
  'suggestion.fromLine',
  'suggestion.toLine',
  'suggestion.fromContent',
  'suggestion.toContent',
  'suggestion.outdated',
  'suggestion.commitId',
] as const

const selectSuggestions = ({ db }: Context) => db.selectFrom('suggestion').select(columns)

export type SuggestionRow = Awaited<ReturnType<ReturnType<typeof selectSuggestions>['executeTakeFirstOrThrow']>>

export const toSuggestion =
  (state: Subjects['mergeRequest']['mergeRequest']['state']) =>
  ({ id, fromLine, toLine, fromContent, toContent, outdated, commitId }: SuggestionRow): Suggestion => ({
    ...{ id, fromLine, toLine, fromContent, toContent },
    appliable: state === 'opened' && commitId === null && !outdated && fromContent !== toContent,
    applied: commitId !== null,
  })

/** The suggestions of notes of one item, by note. */
export const suggestionsOf = async (
  ctx: Context,
  noteable: Noteable,
  noteIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Suggestion[]>> => {
  if (noteable.kind !== 'mergeRequest' || !noteIds.length) return new Map()
  const rows = await selectSuggestions(ctx).where('noteId', 'in', noteIds).orderBy('id').execute()
  const map = toSuggestion(noteable.mergeRequest.state)
  return new Map([...Map.groupBy(rows, ({ noteId }) => noteId)].map(([noteId, ofNote]) => [noteId, ofNote.map(map)]))
}

/** Suggestions by id, with their notes, oldest first. */
export const findSuggestions = (ctx: Context, ids: readonly number[]) =>
  selectSuggestions(ctx)
    .innerJoin('note', 'note.id', 'suggestion.noteId')
    .innerJoin('discussionNote', 'discussionNote.noteId', 'note.id')
    .where('suggestion.id', 'in', ids)
    .select(['note.authorId', 'note.mergeRequestId', 'discussionNote.discussion'])
    .orderBy('suggestion.id')
    .execute()

/** The suggestions of a merge request whose lines can still change. */
export const findOpenSuggestions = (ctx: Context, mergeRequestId: number): Promise<SuggestionRow[]> =>
  selectSuggestions(ctx)
    .innerJoin('note', 'note.id', 'suggestion.noteId')
    .where('note.mergeRequestId', '=', mergeRequestId)
    .where('suggestion.commitId', 'is', null)
    .where('suggestion.outdated', '=', false)
    .execute()

/** Stores the suggestions of a note instead of its former ones. */
export const replaceSuggestions = async (ctx: Context, noteId: number, suggestions: readonly NewSuggestion[]) => {
  await ctx.db.deleteFrom('suggestion').where('noteId', '=', noteId).execute()
  if (!suggestions.length) return
  const rows = suggestions.map(
    (suggestion) => ({ noteId, ...suggestion, outdated: false, commitId: null }) satisfies CompleteRow<'suggestion'>,
  )
  await ctx.db.insertInto('suggestion').values(rows).execute()
}

/** The position of the discussion that a note belongs to; null without one. */
export const findPosition = async ({ db }: Context, noteId: number): Promise<Position | null> => {
  const row = await db
    .selectFrom('discussionNote as own')
    .innerJoin('discussionNote as first', 'first.noteId', 'own.discussion')
    .where('own.noteId', '=', noteId)
    .select('first.position')
    .executeTakeFirst()
  return row?.position ?? null
}
