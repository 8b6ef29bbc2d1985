import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { group } from '../../access/subjects.ts'
import { isAdministrator, personId } from '../../kernel/actor.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { userIdOf } from '../issuables/author.ts'
import { refuseBadTitle } from '../issuables/inputs.ts'
import { changeEpic, details, epicChange, reload, setState } from './changing.ts'
import type { EpicRecord } from './epic.ts'
import { completeEpics, epicColumns } from './queries.ts'
import { epic } from './subject.ts'

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
    input: epicChange,
    rules: [atLeastOne('title', 'description', 'confidential')],
    run: changeEpic,
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
