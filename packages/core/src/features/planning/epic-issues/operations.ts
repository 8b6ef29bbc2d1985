import * as v from 'valibot'
import { conflict } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { reload } from '../epics/mutations.ts'
import { epic } from '../epics/subject.ts'
import { moveItem } from '../issuables/positions.ts'
import { assignToEpic } from './assign.ts'
import type { EpicIssueLink } from './epic-issue.ts'
import { orderOf } from './order.ts'
import { getEpicIssue, getIssueOfGroup, listEpicIssues } from './queries.ts'

const linkInput = {
  /** Id of the link between an issue and the epic. */
  epicIssue: Id,
}

/** The issues of epics. */
export const epicIssues = {
  /** Lists the issues of an epic that the current user can read, in their manual order. */
  list: query({
    on: epic,
    can: 'epic.read',
    tier: 'paid',
    input: pagingEntries,
    run: (ctx, paging, { epic }) => listEpicIssues(ctx, epic.id, paging),
  }),

  /**
   * Adds an issue of a project of the group or its subgroups to an epic, as the first one. An issue of another epic leaves it.
   *
   * @throws PlatformError `not_found` for an issue of another group or an invisible one, `conflict` if the epic has the issue
   */
  assign: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: {
      /** Id, not iid, of the issue. */
      issue: Id,
    },
    async run(ctx, { issue: issueId }, { epic, group }): Promise<EpicIssueLink> {
      const issue = await getIssueOfGroup(ctx, group.id, issueId)
      const id = await assignToEpic(ctx, epic.id, issue.id)
      if (id === undefined) throw conflict('Issue(s) already assigned')
      return { id, epic: await reload(ctx, epic), issue: await getEpicIssue(ctx, epic.id, id) }
    },
  }),

  /**
   * Moves an issue of an epic, and returns a page of the issues in their new order. Without a neighbor, nothing changes.
   *
   * @throws PlatformError `not_found` for a link of another epic
   */
  reorder: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: {
      ...pagingEntries,
      ...linkInput,
      /** Id of the link of the issue that comes directly before the moved one. */
      moveBeforeId: v.optional(Id),
      /** Id of the link of the issue that comes directly after the moved one. Ignored with `moveBeforeId`. */
      moveAfterId: v.optional(Id),
    },
    async run(ctx, { epicIssue, moveBeforeId: before, moveAfterId: after, ...paging }, { epic }) {
      await getEpicIssue(ctx, epic.id, epicIssue)
      if (before !== undefined || after !== undefined)
        await moveItem(ctx, orderOf(epic.id), epicIssue, { before, after })
      return listEpicIssues(ctx, epic.id, paging)
    },
  }),

  /** Removes an issue from an epic. The issue stays in its project. */
  remove: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: linkInput,
    async run(ctx, { epicIssue }, { epic }): Promise<EpicIssueLink> {
      const issue = await getEpicIssue(ctx, epic.id, epicIssue)
      await ctx.db.deleteFrom('epicIssue').where('id', '=', epicIssue).execute()
      return { id: epicIssue, epic: await reload(ctx, epic), issue }
    },
  }),
}
