import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { countNamespaceRequests, isNamespaceAtLimit } from './namespace-rate.ts'
import type { HookRow } from './queries.ts'

/** Requests per minute to one hook of a project or group. */
const maxPerMinute = 500

/** Requests per minute to one system hook, which receives the events of all projects. */
const maxPerMinuteOfSystem = 5_000

/** Consecutive minutes at the limit after which a hook is disabled: its receiver probably causes the events itself. */
export const maxLimitedMinutes = 10

export const loopReason = `Blocked: the limit of requests per minute was reached in ${maxLimitedMinutes} consecutive minutes`

const toMinute = (time: string) => time.slice(0, 16)

const getLimit = ({ projectId, groupId }: Pick<HookRow, 'projectId' | 'groupId'>) =>
  projectId === null && groupId === null ? maxPerMinuteOfSystem : maxPerMinute

type Counts = Pick<HookRow, 'projectId' | 'groupId' | 'minute' | 'minuteCount' | 'limitedMinutes'>

/** Whether a hook has received as many requests as allowed in this minute. `unstored`: requests that are not counted yet. */
export const isAtLimit = (hook: Counts, now: string, unstored = 0): boolean =>
  (hook.minute === toMinute(now) ? hook.minuteCount : 0) + unstored >= getLimit(hook)

/** Whether the other hooks of the top-level namespace leave no request for a hook in this minute. `unstored`: as above. */
export const isCrowdedOut = (ctx: Context, hook: Counts, unstored = 0): Promise<boolean> =>
  isNamespaceAtLimit(ctx, hook, toMinute(ctx.now), unstored)

/** The start of the next minute. */
export const getNextMinute = (now: string): string => `${toMinute(addSeconds(now, 60))}:00.000Z`

/** Counts requests to a hook. */
export const countRequests = async (ctx: Context, id: number, count: number): Promise<void> => {
  const { db, now } = ctx
  const columns = ['projectId', 'groupId', 'minute', 'minuteCount', 'limitedMinutes'] as const
  const hook = await db.selectFrom('hook').where('id', '=', id).select(columns).executeTakeFirst()
  if (!hook) return
  const minute = toMinute(now)
  await countNamespaceRequests(ctx, hook, { name: minute, end: getNextMinute(now) }, count)
  const previous = toMinute(addSeconds(now, -60))
  const continues = hook.minute === minute || (hook.minute === previous && hook.minuteCount >= getLimit(hook))
  await db
    .updateTable('hook')
    .set({
      minute,
      minuteCount: (hook.minute === minute ? hook.minuteCount : 0) + count,
      limitedMinutes: continues ? hook.limitedMinutes : 0,
    })
    .where('id', '=', id)
    .execute()
}
