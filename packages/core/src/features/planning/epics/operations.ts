import * as v from 'valibot'
import { group } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { notFound } from '../../../kernel/errors.ts'
import { atLeastOne, Id, Instant, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { command, query } from '../../../kernel/operation.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { readCreationTime } from '../issuables/backdating.ts'
import { assertValidTitle } from '../issuables/triage.ts'
import { requestQuickActions, takeQuickActions } from '../quick-actions/request.ts'
import { completeEpicDetails } from './details.ts'
import { listEpics, listInput, listRules } from './list.ts'
import {
  detailsInput,
  epicUpdateInput,
  parseEpicColor,
  readFixedDates,
  reload,
  updateEpic,
  updateEpicLabels,
} from './mutations.ts'
import { setParent } from './parent.ts'
import { findEpicByIid } from './queries.ts'
import { epic } from './subject.ts'

const requireChange = atLeastOne<Record<string, unknown>>(...Object.keys(epicUpdateInput), 'parentId')

export const epics = {
  /** Lists the epics of a group that the current user can read, newest first; also those of its subgroups. */
  list: query({ on: group, can: 'epic.list', tier: 'paid', input: listInput, rules: listRules, run: listEpics }),

  /** Gets an epic of a group. */
  get: query({
    on: epic,
    can: 'epic.read',
    tier: 'paid',
    async run(ctx, _input, { epic }) {
      const [details] = await completeEpicDetails(ctx, [epic])
      return defined(details)
    },
  }),

  /** Creates an open epic in a group, and executes the quick actions of the description of a user. */
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
      /** Id, not iid, of the parent, an epic of the group or of one above it. Default: none. */
      parentId: v.optional(Id),
      /** Number (iid) of the parent in the group, instead of `parentId`. */
      parent: v.optional(Id),
      /**
       * Time of creation for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or
       * administrator. Default: now.
       */
      createdAt: v.optional(Instant),
    },
    rules: [
      mutuallyExclusive<{ readonly parent?: number | undefined; readonly parentId?: number | undefined }>(
        'parent',
        'parentId',
      ),
    ],
    async run(ctx, { title, author, labels, color, parent, parentId, ...details }, subject) {
      const { group } = subject
      const above = parent === undefined ? parentId : (await findEpicByIid(ctx, group.id, parent))?.id
      if (parent !== undefined && above === undefined) throw notFound('Epic')
      const mayBackdate = () => hasAbility<'group'>(ctx.actor, subject, 'epic.backdate')
      assertValidTitle(title)
      const fixed = readFixedDates(details)
      const iid = await nextInternalId(ctx, 'epic', group.id)
      const { description, actions } = takeQuickActions(ctx, details.description)
      const { id } = await ctx.db
        .insertInto('epic')
        .values({
          iid,
          groupId: group.id,
          authorId: await resolveAuthorId(ctx, author),
          title,
          description: description ?? null,
          state: 'opened',
          confidential: details.confidential ?? false,
          createdAt: readCreationTime(details.createdAt, mayBackdate) ?? ctx.now,
          updatedAt: ctx.now,
          closedAt: null,
          closedById: null,
          startDate: details.startDate ?? null,
          dueDate: details.dueDate ?? null,
          startDateIsFixed: fixed.startDateIsFixed ?? false,
          dueDateIsFixed: fixed.dueDateIsFixed ?? false,
          color: parseEpicColor(color) ?? null,
        } satisfies CompleteRow<'epic'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await updateEpicLabels(ctx, id, subject, { labels })
      if (above !== undefined) await setParent(ctx, { id, groupId: group.id }, above)
      const epic = await reload(ctx, { groupId: group.id, id })
      await ctx.emit('epic.opened', { epic })
      return (await requestQuickActions(ctx, 'epic', epic, actions)) ? reload(ctx, epic) : epic
    },
  }),

  /** Updates an epic, and executes the quick actions of the description; omitted fields stay unchanged, at least one is required. */
  update: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: {
      ...epicUpdateInput,
      /** Id, not iid, of the parent, an epic of the group or of one above it; null for none. */
      parentId: v.optional(v.nullable(Id)),
      /**
       * Time of the change for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or administrator.
       * Default: now.
       */
      updatedAt: v.optional(Instant),
    },
    rules: [requireChange],
    async run(ctx, { updatedAt, parentId, ...input }, subject) {
      const mayBackdate = () => hasAbility<'epic'>(ctx.actor, subject, 'note.backdate')
      const now = readCreationTime(updatedAt, mayBackdate) ?? ctx.now
      const { description, actions } = takeQuickActions(ctx, input.description)
      if (parentId !== undefined) await setParent(ctx, subject.epic, parentId)
      const epic = await updateEpic({ ...ctx, now }, { ...input, description }, subject)
      return (await requestQuickActions(ctx, 'epic', epic, actions)) ? reload(ctx, epic) : epic
    },
  }),

  /** Removes an epic with its notes and emoji. Its issues stay. */
  remove: command({
    on: epic,
    can: 'epic.remove',
    tier: 'paid',
    async run(ctx, _input, { epic }) {
      await assertRowUnmodified(ctx, 'epic', epic.id)
      await ctx.db.deleteFrom('epic').where('id', '=', epic.id).execute()
    },
  }),
}
