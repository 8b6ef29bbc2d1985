import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Handle } from '../../kernel/store.ts'
import type { RemoteMirror } from './remote-mirror.ts'

const shown = [
  'id',
  'enabled',
  'shownUrl',
  'onlyProtectedBranches',
  'keepDivergentRefs',
  'updateStatus',
  'lastError',
  'lastUpdateAt',
  'lastUpdateStartedAt',
  'lastSuccessfulUpdateAt',
] as const

/** The mirrors of a project as they are shown: what opens them is not read. */
export const mirrorsOf = ({ db }: Pick<Handle, 'db'>, projectId: number) =>
  db.selectFrom('remoteMirror').where('projectId', '=', projectId).select(shown)

export const toMirror = ({
  shownUrl,
  ...row
}: Omit<RemoteMirror, 'url'> & { readonly shownUrl: string }): RemoteMirror => ({ ...row, url: shownUrl })

/** A mirror of a project by id. */
export async function mirrorOf(ctx: Context, projectId: number, id: number): Promise<RemoteMirror> {
  const row = await mirrorsOf(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toMirror(row)
}

/** Asks for a push of mirrors. What a push that runs has not seen yet is pushed after it. */
export async function requestPush(ctx: Context, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await ctx.db.updateTable('remoteMirror').set({ requestedAt: ctx.now }).where('id', 'in', ids).execute()
  // One job a mirror, so that no two pushes of it run at once.
  for (const id of ids) await ctx.enqueue('remoteMirrors.push', { mirror: id }, { key: String(id) })
}
