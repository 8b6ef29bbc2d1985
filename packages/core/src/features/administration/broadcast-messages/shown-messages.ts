import type { Context } from '../../../kernel/context.ts'
import { cachedQuery } from '../../../kernel/prepared-query.ts'
import { chain, type MaybePromise } from '../../../kernel/store.ts'
import { matchesWildcard } from '../../../shared/wildcard.ts'
import { type BroadcastMessage, messageColumns } from './broadcast-message.ts'

/** Pages show messages among the newest only. */
const maxMessages = 100

const newestMessages = cachedQuery((db, _: object) =>
  db.selectFrom('broadcastMessage').orderBy('id', 'desc').select(messageColumns).limit(maxMessages),
)

/** Whether a page with this path shows a message; `*` in the path of the message matches any text, case is ignored. */
const matchesPath = ({ targetPath }: Pick<BroadcastMessage, 'targetPath'>, path: string): boolean => {
  if (!targetPath) return true
  const pattern = targetPath.startsWith('/') || targetPath.startsWith('*') ? targetPath : `/${targetPath}`
  return matchesWildcard(path.toLowerCase(), pattern.toLowerCase())
}

/** Active messages for the page with this path, newest first. Their levels are still to be checked. */
export const findShownMessages = (ctx: Context, path: string): MaybePromise<readonly BroadcastMessage[]> =>
  chain(newestMessages(ctx, {}), (rows) =>
    rows
      .filter((row) => row.startsAt <= ctx.now && ctx.now < row.endsAt && matchesPath(row, path))
      .map((row) => ({ ...row, active: true })),
  )
