import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { group } from '../../access/subjects.ts'
import { isAdministrator, personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { userIdOf } from '../issuables/author.ts'
import { refuseBadTitle } from '../issuables/inputs.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { completeEpics, epicColumns, findEpic } from './queries.ts'
import { epic } from './subject.ts'

const details = {
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  /** Seen by its author and by reporters and above only. */
  confidential: v.optional(v.boolean()),
}

const reload = async (ctx: Context, { groupId, id }: Pick<EpicRecord, 'groupId' | 'id'>): Promise<Epic> => {
  const record = await findEpic(ctx, groupId, id)
  const [complete] = record ? await completeEpics(ctx, [record]) : []
  if (!complete) throw notFound()
  return complete
}

const setState = async (ctx: Context, record: EpicRecord, state: EpicRecord['state']): Promise<Epic> => {
  if (record.state === state) return reload(ctx, record)
  const closed = state === 'closed'
  await ctx.db
    .updateTable('epic')
    .set({
      state,
      closedAt: closed ? ctx.now : null,
      closedById: closed && ctx.actor.kind === 'user' ? ctx.actor.id : null,
      updatedAt: ctx.now,
    })
    .where('id', '=', record.id)
    .execute()
  return reload(ctx, record)
}

export const epics = {
  /** Epics of a group itself that the caller can see, newest first. */
  list: query({
    on: group,
    can: 'epic.list',
    tier: 'paid',
    input: { ...paging, state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all') },
    async run(ctx, { state, ...at }, { group, access }) {
      let rows = ctx.db
        .selectFrom('epic')
        .where('groupId', '=', group.id)
        .orderBy('epic.id', 'desc')
        .select(epicColumns)
      if (state !== 'all') rows = rows.where('state', '=', state)
      if (access < Access.reporter && !isAdministrator(ctx.actor)) {
        rows = rows.where((eb) => eb.or([eb('confidential', '=', false), eb('authorId', '=', personId(ctx.actor))]))
      }
      const page = await paginate(rows, at, (row): EpicRecord => row)
      return { ...page, items: await completeEpics(ctx, page.items) }
    },
  }),

  /** One epic. */
  get: query({ on: epic, can: 'epic.read', tier: 'paid', run: (ctx, _input, { epic }) => reload(ctx, epic) }),

  /** Opens an epic in a group. */
  create: command({
    on: group,
    can: 'epic.create',
    tier: 'paid',
    input: {
      title: v.string(),
      /** Only for the host application: who opens it. */
      author: v.optional(v.union([v.number(), v.string()])),
      ...details,
    },
    async run(ctx, { title, author, description = null, confidential = false }, { group }) {
      refuseBadTitle(title)
      const iid = await nextInternalId(ctx, 'epic', group.id)
      const [row] = await ctx.db
        .insertInto('epic')
        .values({
          iid,
          groupId: group.id,
          authorId: await userIdOf(ctx, author),
          title,
          description,
          state: 'opened',
          confidential,
          createdAt: ctx.now,
          updatedAt: ctx.now,
          closedAt: null,
          closedById: null,
        })
        .returning('id')
        .execute()
      return reload(ctx, { groupId: group.id, id: (row as { id: number }).id })
    },
  }),

  /** Changes an epic. */
  update: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: { title: v.optional(v.string()), ...details },
    rules: [atLeastOne('title', 'description', 'confidential')],
    async run(ctx, change, { epic }) {
      refuseBadTitle(change.title)
      await ctx.db
        .updateTable('epic')
        .set({ ...change, updatedAt: ctx.now })
        .where('id', '=', epic.id)
        .execute()
      return reload(ctx, epic)
    },
  }),

  /** Closes an epic; closing a closed one changes nothing. */
  close: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    run: (ctx, _input, { epic }) => setState(ctx, epic, 'closed'),
  }),

  /** Opens a closed epic again. */
  reopen: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    run: (ctx, _input, { epic }) => setState(ctx, epic, 'opened'),
  }),
}
