import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { readHead } from '../merge-requests/changes/head.ts'
import { readSuggestions } from '../suggestions/locate.ts'
import type { NewSuggestion } from '../suggestions/queries.ts'
import type { Position } from './discussion.ts'
import { verifyCommitPosition, verifyPosition } from './verify-position.ts'

interface NewPlace {
  readonly position: Position | undefined
  readonly body?: string
  /** The commit of the merge request in whose diff the position is. Default: that of the whole merge request. */
  readonly commitSha?: string | undefined
}

/** Continues at once without a position, and otherwise in a transaction after git was read: also the lines of suggestions in `body`. */
export const withVerifiedPosition = async <T>(
  ctx: Context,
  noteable: Noteable,
  { position, body = '', commitSha }: NewPlace,
  work: (ctx: Context, position: Position | undefined, suggestions: readonly NewSuggestion[]) => Promise<T>,
): Promise<T | Deferred<T>> => {
  if (position === undefined || noteable.kind !== 'mergeRequest') return work(ctx, position, [])
  const head = await readHead(ctx, noteable)
  const { opened } = head
  if (opened === undefined) return work(ctx, position, [])
  return afterTransaction(async (runner) => {
    const verified =
      commitSha === undefined
        ? await verifyPosition(runner, head, position)
        : await verifyCommitPosition(opened.repository, commitSha, position)
    const suggestions = await readSuggestions(opened.repository, verified, body, opened.abortable)
    return runner.write((later) => work(later, verified, suggestions))
  })
}
