import * as v from 'valibot'
import { Access } from '../../access/levels.ts'
import { group } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId, isAdministrator } from '../../kernel/actor.ts'
import { atLeastOne, Id } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { assertValidTitle } from '../issuables/triage.ts'
import type { Epic, EpicRecord } from './epic.ts'
import { detailsInput, epicUpdateInput, reload, setState, updateEpic } from './mutations.ts'
import { completeEpics, epicColumns } from './queries.ts'
import { epic } from './subject.ts'

export const epics = {
  /** Lists the epics of a group that the caller can read, newest first. Epics of subgroups are not included. */
  list: query({
    on: group,
    can: 'epic.list',
    tier: 'paid',
    input: {
      ...pagingEntries,
      /** Only open or only closed epics. Default: `all`. */
      state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'),
      /** Only epics with these numbers (iids), at most 1,000. An empty array does not filter. */
      iids: v.optional(v.pipe(v.array(Id), v.maxLength(1_000))),
    },
    async run(ctx, { state, iids, ...paging }, { group, access }): Promise<Page<Epic>> {
      let rows = ctx.db
        .selectFrom('epic')
        .where('groupId', '=', group.id)
        .orderBy('epic.id', 'desc')
        .select(epicColumns)
      if (state !== 'all') rows = rows.where('state', '=', state)
      if (iids?.length) rows = rows.where('iid', 'in', iids)
      if (access < Access.reporter && !isAdministrator(ctx.actor)) {
        rows = rows.where((eb) => eb.or([eb('confidential', '=', false), eb('authorId', '=', getUserId(ctx.actor))]))
      }
      const page = await paginate(rows, paging, (row): EpicRecord => row)
      return { ...page, items: await completeEpics(ctx, page.items) }
    },
  }),

  /** Gets an epic of a group. */
  get: query({ on: epic, can: 'epic.read', tier: 'paid', run: (ctx, _input, { epic }) => reload(ctx, epic) }),

  /** Creates an open epic in a group. */
  create: command({
    on: group,
    can: 'epic.create',
    tier: 'paid',
    input: {
      /** Not blank, at most 255 characters. */
      title: v.string(),
      /** Id or username of the author of the epic: required for calls of the host, `forbidden` for users. */
      author: v.optional(v.union([v.number(), v.string()])),
      ...detailsInput,
    },
    async run(ctx, { title, author, description = null, confidential = false }, { group }) {
      assertValidTitle(title)
      const iid = await nextInternalId(ctx, 'epic', group.id)
      const [row] = await ctx.db
        .insertInto('epic')
        .values({
          iid,
          groupId: group.id,
          authorId: await resolveAuthorId(ctx, author),
          title,
          description,
          state: 'opened',
          confidential,
          createdAt: ctx.now,
          updatedAt: ctx.now,
          closedAt: null,
          closedById: null,
        } satisfies CompleteRow<'epic'>)
        .returning('id')
        .execute()
      return reload(ctx, { groupId: group.id, id: (row as { id: number }).id })
    },
  }),

  /** Updates an epic; absent fields stay unchanged, at least one is required. */
  update: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: epicUpdateInput,
    rules: [atLeastOne('title', 'description', 'confidential')],
    run: updateEpic,
  }),

  /** Closes an epic. A closed epic stays unchanged. */
  close: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    run: (ctx, _input, { epic }) => setState(ctx, epic, 'closed'),
  }),

  /** Reopens an epic. An open epic stays unchanged. */
  reopen: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    run: (ctx, _input, { epic }) => setState(ctx, epic, 'opened'),
  }),
}
