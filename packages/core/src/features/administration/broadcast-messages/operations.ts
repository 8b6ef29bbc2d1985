import * as v from 'valibot'
import { groupLevels } from '../../../access/levels.ts'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { type BroadcastMessage, broadcastThemes, broadcastTypes, messageColumns } from './broadcast-message.ts'

const Message = v.pipe(v.string(), v.nonEmpty(), v.maxLength(10_000))
/** A hexadecimal color of CSS. */
const Color = v.pipe(v.string(), v.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a valid color code'))
const millisecondsPerHour = 60 * 60 * 1_000

const messageReference = {
  /** Id of the message. */
  broadcastMessage: Id,
}

const detailsInput = {
  /** When it is first shown; ISO 8601, UTC without an offset. Default of a new message: now. */
  startsAt: v.optional(Instant),
  /** When it is no longer shown; ISO 8601, UTC without an offset. Default of a new message: one hour from now. */
  endsAt: v.optional(Instant),
  /** `banner` at the top of pages, or `notification` in a corner. Default of a new message: `banner`. */
  broadcastType: v.optional(v.picklist(broadcastTypes)),
  /** Color of a banner. Default of a new message: `indigo`. */
  theme: v.optional(v.picklist(broadcastThemes)),
  /** Background color for clients without themes: `#` and three or six hexadecimal digits. Default of a new message: `#E75E40`. */
  color: v.optional(Color),
  /** Text color for clients without themes. Default of a new message: `#FFFFFF`. */
  font: v.optional(Color),
  /** Whether users can hide it. Default of a new message: false. */
  dismissable: v.optional(v.boolean()),
  /** Paths of the pages that show it, with `*` for any text, at most 255 characters; null for all pages. */
  targetPath: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(255)))),
  /** Levels of the users who see it in projects and groups: 10, 20, 30, 40, 50. Empty for all users. */
  targetAccessLevels: v.optional(v.pipe(v.array(v.picklist(groupLevels)), v.maxLength(10))),
}

const toMessage =
  ({ now }: Context) =>
  (row: Omit<BroadcastMessage, 'active'>): BroadcastMessage => ({
    ...row,
    active: row.startsAt <= now && now < row.endsAt,
  })

const getMessage = async (ctx: Context, id: number): Promise<BroadcastMessage> => {
  const row = await ctx.db.selectFrom('broadcastMessage').where('id', '=', id).select(messageColumns).executeTakeFirst()
  if (!row) throw notFound('Broadcast message')
  return toMessage(ctx)(row)
}

const assertPeriod = ({ startsAt, endsAt }: { readonly startsAt: string; readonly endsAt: string }) => {
  if (endsAt <= startsAt) throw invalid({ endsAt: ['must be later than the start'] })
}

export const broadcastMessages = {
  /** Lists the messages to the users of the instance, newest first. */
  list: query({
    on: instance,
    can: 'broadcastMessage.read',
    input: pagingEntries,
    run: (ctx, paging) =>
      paginate(
        ctx.db.selectFrom('broadcastMessage').orderBy('id', 'desc').select(messageColumns),
        paging,
        toMessage(ctx),
      ),
  }),

  /** Gets a message to the users of the instance. */
  get: query({
    on: instance,
    can: 'broadcastMessage.read',
    input: messageReference,
    run: (ctx, { broadcastMessage }) => getMessage(ctx, broadcastMessage),
  }),

  /** Creates a message to the users of the instance. */
  create: command({
    on: instance,
    can: 'broadcastMessage.manage',
    input: {
      /** Text in Markdown, 1 to 10,000 characters. */
      message: Message,
      ...detailsInput,
    },
    async run(ctx, { message, ...details }) {
      const inOneHour = new Date(Date.parse(ctx.now) + millisecondsPerHour).toISOString()
      const period = {
        startsAt: details.startsAt === undefined ? ctx.now : normalizeInstant(details.startsAt),
        endsAt: details.endsAt === undefined ? inOneHour : normalizeInstant(details.endsAt),
      }
      assertPeriod(period)
      const row = await ctx.db
        .insertInto('broadcastMessage')
        .values({
          message,
          ...period,
          broadcastType: details.broadcastType ?? 'banner',
          theme: details.theme ?? 'indigo',
          color: details.color ?? '#E75E40',
          font: details.font ?? '#FFFFFF',
          dismissable: details.dismissable ?? false,
          targetPath: details.targetPath ?? null,
          targetAccessLevels: details.targetAccessLevels ?? [],
          createdAt: ctx.now,
        } satisfies CompleteRow<'broadcastMessage'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return getMessage(ctx, row.id)
    },
  }),

  /** Changes a message to the users of the instance; omitted fields stay unchanged. */
  update: command({
    on: instance,
    can: 'broadcastMessage.manage',
    input: {
      ...messageReference,
      /** Text in Markdown, 1 to 10,000 characters. */
      message: v.optional(Message),
      ...detailsInput,
    },
    rules: [atLeastOne('message', ...keysOf(detailsInput))],
    async run(ctx, { broadcastMessage: id, startsAt, endsAt, ...change }) {
      const before = await getMessage(ctx, id)
      const period = {
        startsAt: startsAt === undefined ? before.startsAt : normalizeInstant(startsAt),
        endsAt: endsAt === undefined ? before.endsAt : normalizeInstant(endsAt),
      }
      assertPeriod(period)
      await ctx.db
        .updateTable('broadcastMessage')
        .set({ ...change, ...period })
        .where('id', '=', id)
        .execute()
      return getMessage(ctx, id)
    },
  }),

  /** Removes a message to the users of the instance. */
  remove: command({
    on: instance,
    can: 'broadcastMessage.manage',
    input: messageReference,
    async run(ctx, { broadcastMessage }) {
      const { id } = await getMessage(ctx, broadcastMessage)
      await ctx.db.deleteFrom('broadcastMessage').where('id', '=', id).execute()
    },
  }),
}
