import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Handle } from '../../../kernel/store.ts'
import { maskCredentials } from '../../../shared/mask-credentials.ts'
import type { RemoteMirror } from './remote-mirror.ts'

const mirrorColumns = [
  'id',
  'enabled',
  'shownUrl',
  'onlyProtectedBranches',
  'keepDivergentRefs',
  'mirrorBranchRegex',
  'updateStatus',
  'lastError',
  'lastUpdateAt',
  'lastUpdateStartedAt',
  'lastSuccessfulUpdateAt',
  'nextUpdateAt',
] as const

/** The mirrors of a project, without their credentials. */
export const selectMirrors = ({ db }: Pick<Handle, 'db'>, projectId: number) =>
  db.selectFrom('remoteMirror').where('projectId', '=', projectId).select(mirrorColumns)

export const toMirror = ({
  shownUrl,
  ...row
}: Omit<RemoteMirror, 'url'> & { readonly shownUrl: string }): RemoteMirror => ({
  ...row,
  // Rows of earlier versions contain the user name `git`.
  url: maskCredentials(shownUrl),
})

/** A mirror of a project by id. */
export async function getMirror(ctx: Context, projectId: number, id: number): Promise<RemoteMirror> {
  const row = await selectMirrors(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toMirror(row)
}

/** Enqueues a push for each mirror. If one is running, another push follows it. */
export async function requestPush(ctx: Context, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const mirrors = await ctx.db
    .updateTable('remoteMirror')
    .set({ requestedAt: ctx.now })
    .where('id', 'in', ids)
    .returning(['id', 'url'])
    .execute()
  // One job per mirror, so that pushes to it do not run concurrently.
  for (const { id, url } of mirrors) {
    await ctx.enqueue('remoteMirrors.push', { mirror: id }, { key: String(id), destination: new URL(url).hostname })
  }
}
