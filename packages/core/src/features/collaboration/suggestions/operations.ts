import * as v from 'valibot'
import { mapResult } from '../../../kernel/deferred.ts'
import { command } from '../../../kernel/operation.ts'
import { applySuggestions } from './apply.ts'
import { suggestion, suggestionBatch } from './subject.ts'

const applyInput = {
  /**
   * Message of the commit, at most 1,000,000 characters, with the variables of the project's template. Default: that template
   * (`suggestionCommitMessage`).
   */
  commitMessage: v.optional(v.pipe(v.string(), v.maxLength(1_000_000))),
}

/**
 * Changes of lines that comments on the diff of a merge request propose, in code blocks with the language `suggestion`. The notes
 * of discussions contain them.
 */
export const suggestions = {
  /**
   * Applies a suggestion: commits its lines to the source branch in the name of the author of the suggestion, and resolves its
   * discussion. For users who may push to the source branch. Fails with `invalid` if the merge request is not open, or if the
   * lines were changed since.
   */
  apply: command({
    on: suggestion,
    can: 'suggestion.apply',
    input: { ...suggestion.entries, ...applyInput },
    run: async (ctx, { suggestion: id, commitMessage }, subject) =>
      mapResult(await applySuggestions(ctx, subject, [id], commitMessage), ([applied]) => applied),
  }),

  /** Applies several suggestions on one merge request in one commit, by the same rules as `apply`. Their lines must not overlap. */
  applyBatch: command({
    on: suggestionBatch,
    can: 'suggestion.apply',
    input: { ...suggestionBatch.entries, ...applyInput },
    run: (ctx, { suggestions: ids, commitMessage }, subject) => applySuggestions(ctx, subject, ids, commitMessage),
  }),
}
