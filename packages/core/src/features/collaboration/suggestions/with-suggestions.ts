import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import type { Position } from '../discussions/discussion.ts'
import { readSuggestions } from './locate.ts'
import type { NewSuggestion } from './queries.ts'
import { parseSuggestions } from './suggestion.ts'

interface PlacedText {
  readonly body: string
  readonly position: Position | null
}

/** Continues at once if no text contains suggestions, and otherwise in a transaction after their lines were read. */
export const withSuggestions = async <T>(
  ctx: Context,
  noteable: Noteable,
  texts: readonly PlacedText[],
  work: (ctx: Context, suggestions: readonly (readonly NewSuggestion[])[]) => Promise<T>,
): Promise<T | Deferred<T>> => {
  const hasSuggestions = texts.some(({ body, position }) => position !== null && parseSuggestions(body).length > 0)
  const opened = hasSuggestions && noteable.kind === 'mergeRequest' ? await openRepository(ctx, noteable) : undefined
  if (opened === undefined)
    return work(
      ctx,
      texts.map(() => []),
    )
  return afterTransaction(async (runner) => {
    const { repository, abortable } = opened
    const suggestions: (readonly NewSuggestion[])[] = []
    for (const { body, position } of texts)
      suggestions.push(position === null ? [] : await readSuggestions(repository, position, body, abortable))
    return runner.write((later) => work(later, suggestions))
  })
}
