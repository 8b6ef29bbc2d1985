import * as v from 'valibot'
import { account, currentUser } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { command, query } from '../../../kernel/operation.ts'
import { escapeHtml } from '../../../ports/markdown/escape-html.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { getAccountId } from '../users/queries.ts'
import { availabilities, type UserStatus } from './status.ts'

const noStatus = { emoji: 'speech_balloon', message: '', availability: 'not_set', clearStatusAt: null } as const

const hour = 3_600

/** Seconds until a status ends. */
const durations = {
  '30_minutes': hour / 2,
  '3_hours': 3 * hour,
  '8_hours': 8 * hour,
  '1_day': 24 * hour,
  '3_days': 72 * hour,
  '7_days': 168 * hour,
  '30_days': 720 * hour,
} as const

const durationNames = keysOf(durations)

const readStatus = async (ctx: Context, userId: number): Promise<UserStatus> => {
  const row = await ctx.db
    .selectFrom('userStatus')
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('clearAt', 'is', null), eb('clearAt', '>', ctx.now)]))
    .select(['emoji', 'message', 'availability', 'clearAt as clearStatusAt'])
    .executeTakeFirst()
  const status = row ?? noStatus
  return { ...status, messageHtml: escapeHtml(status.message) }
}

const toClearTime = (ctx: Context, duration: keyof typeof durations | null) =>
  duration === null ? null : addSeconds(ctx.now, durations[duration])

const writeStatus = async (
  ctx: Context,
  userId: number,
  status: Omit<CompleteRow<'userStatus'>, 'userId'>,
): Promise<UserStatus> => {
  await ctx.db
    .insertInto('userStatus')
    .values({ userId, ...status } satisfies CompleteRow<'userStatus'>)
    .onConflict((key) => key.column('userId').doUpdateSet(status))
    .execute()
  return readStatus(ctx, userId)
}

export const userStatuses = {
  /** Gets the status of a user. */
  get: query({
    on: account,
    can: 'userStatus.read',
    scopesByKind: { currentUser: ['read_user'] },
    run: async (ctx, _input, subject) => readStatus(ctx, await getAccountId(ctx, subject)),
  }),

  /** Changes the current user's status. Omitted fields keep their values. */
  update: command({
    on: currentUser,
    can: 'userStatus.manage',
    input: {
      /** Name of an emoji without colons. */
      emoji: v.optional(v.pipe(v.string(), v.maxLength(255))),
      /** Plain text of at most 100 characters. */
      message: v.optional(v.pipe(v.string(), v.maxLength(100))),
      /** Whether the user is busy. */
      availability: v.optional(v.picklist(availabilities)),
      /** When the status ends, from now. Null: never. */
      clearStatusAfter: v.optional(v.nullable(v.picklist(durationNames))),
    },
    async run(ctx, { clearStatusAfter, ...fields }) {
      const userId = getUserId(ctx.actor)
      const { clearStatusAt, messageHtml: _, ...before } = await readStatus(ctx, userId)
      const clearAt = clearStatusAfter === undefined ? clearStatusAt : toClearTime(ctx, clearStatusAfter)
      const { emoji = before.emoji, message = before.message, availability = before.availability } = fields
      return writeStatus(ctx, userId, { emoji, message, availability, clearAt })
    },
  }),

  /** Sets the current user's status. Omitted fields get their defaults; without an emoji and a message there is no status. */
  set: command({
    on: currentUser,
    can: 'userStatus.manage',
    input: {
      /** Name of an emoji without colons. Default: `speech_balloon`. */
      emoji: v.optional(v.pipe(v.string(), v.maxLength(255)), noStatus.emoji),
      /** Plain text of at most 100 characters. Default: empty. */
      message: v.optional(v.pipe(v.string(), v.maxLength(100)), ''),
      /** Whether the user is busy. Default: `not_set`. */
      availability: v.optional(v.picklist(availabilities), 'not_set'),
      /** When the status ends, from now. Default: never. */
      clearStatusAfter: v.optional(v.picklist(durationNames)),
    },
    async run(ctx, { clearStatusAfter, ...status }) {
      const userId = getUserId(ctx.actor)
      return writeStatus(ctx, userId, { ...status, clearAt: toClearTime(ctx, clearStatusAfter ?? null) })
    },
  }),
}
