import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { findSuggestions } from './queries.ts'

/** @throws PlatformError `not_found` for a missing suggestion, `invalid` for suggestions on several merge requests */
const loadMergeRequest = async (ctx: Context, ids: readonly number[]): Promise<Subjects['mergeRequest']> => {
  const suggestions = await findSuggestions(ctx, ids)
  const [id, ...others] = new Set(suggestions.map(({ mergeRequestId }) => mergeRequestId))
  if (suggestions.length !== new Set(ids).size || id == null) throw notFound('Suggestion')
  const row = await ctx.db
    .selectFrom('mergeRequest')
    .where('id', '=', id)
    .select(['projectId', 'iid'])
    .executeTakeFirstOrThrow()
  const subject = await loadVisible(ctx, mergeRequest, { project: row.projectId, mergeRequest: row.iid })
  if (others.length) throw invalid('Suggestions must all be on the same branch.')
  return subject
}

const suggestionEntries = {
  /** Id of the suggestion, unique on the instance. */
  suggestion: Id,
}

/** The merge request of a suggestion. */
export const suggestion: SubjectLoader<'mergeRequest', typeof suggestionEntries> = {
  kinds: ['mergeRequest'],
  entries: suggestionEntries,
  load: (ctx, { suggestion: id }) => loadMergeRequest(ctx, [id]),
}

const suggestionsEntries = {
  /** Ids of 1 to 100 suggestions on one merge request. */
  suggestions: v.pipe(v.array(Id), v.nonEmpty(), v.maxLength(100)),
}

/** The merge request of several suggestions. */
export const suggestionBatch: SubjectLoader<'mergeRequest', typeof suggestionsEntries> = {
  kinds: ['mergeRequest'],
  entries: suggestionsEntries,
  load: (ctx, { suggestions: ids }) => loadMergeRequest(ctx, ids),
}
