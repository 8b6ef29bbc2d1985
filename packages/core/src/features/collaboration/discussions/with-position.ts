import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { readHead } from '../merge-requests/changes/head.ts'
import type { Position } from './discussion.ts'
import { verifyPosition } from './verify-position.ts'

/** Continues at once without a position, and otherwise in a transaction after git was read. */
export const withVerifiedPosition = async <T>(
  ctx: Context,
  noteable: Noteable,
  position: Position | undefined,
  work: (ctx: Context, position: Position | undefined) => Promise<T>,
): Promise<T | Deferred<T>> => {
  if (position === undefined || noteable.kind !== 'mergeRequest') return work(ctx, position)
  const head = await readHead(ctx, noteable)
  if (head.opened === undefined) return work(ctx, position)
  return afterTransaction(async (runner) => {
    const verified = await verifyPosition(runner, head, position)
    return runner.write((later) => work(later, verified))
  })
}
