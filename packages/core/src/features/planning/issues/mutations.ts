import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { DateOnly, Id, Instant } from '../../../kernel/inputs.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { resolveEpicId, setEpic } from '../epic-issues/assign.ts'
import { createLifecycle } from '../issuables/lifecycle.ts'
import {
  assertValidTitle,
  resolveMilestoneId,
  triageInput,
  triageUpdateInput,
  updateLabelsAndAssignees,
} from '../issuables/triage.ts'
import { healthStatuses, type Issue, type IssueRecord, issueTypes } from './issue.ts'
import { completeIssues, findIssue } from './queries.ts'

/** Inserts an issue at the end of the manual order. */
export async function insertIssue(ctx: Context, issue: Omit<IssueRecord, 'id'>): Promise<IssueRecord> {
  const row = await ctx.db
    .insertInto('issue')
    .values({ ...issue, relativePosition: null } satisfies CompleteRow<'issue'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, ...issue }
}

/** Fields that authors may set on their own issues. */
export const detailsInput = {
  /** Kind of issue. Default for a new one: `issue`. */
  issueType: v.optional(v.picklist(issueTypes)),
  /** Markdown, at most 1,000,000 characters; null for none. */
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000)))),
  /** Existing day such as `2026-11-21`; null for none. */
  dueDate: v.optional(v.nullable(DateOnly)),
}

/** The largest weight that GitLab stores. */
export const maxWeight = 2 ** 31 - 1

export const Weight = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxWeight))

/** Fields of a new issue that require the permission to triage. */
const issueTriageInput = {
  ...triageInput,
  /** Estimated effort in units of the team, from 0; null for none. Requires reporter or above. */
  weight: v.optional(v.nullable(Weight)),
  /**
   * Id of an epic of the groups above the project, which the current user may update; null or 0 for none. Requires the paid tier
   * and reporter or above.
   */
  epicId: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  /** Number of an epic in the group of the project (the iid). Ignored with `epicId`. */
  epicIid: v.optional(Id),
  /**
   * Whether only the author, assignees, and reporters and above can read the issue. Default for a new issue: false.
   * Requires reporter or above.
   */
  confidential: v.optional(v.boolean()),
  /** Whether only members of the project can comment. Default for a new issue: false. Requires reporter or above. */
  discussionLocked: v.optional(v.boolean()),
  /** How likely the issue is done in time; null if unknown. Requires reporter or above. */
  healthStatus: v.optional(v.nullable(v.picklist(healthStatuses))),
}

/** Fields of an issue that require the permission to triage, with changes of single labels. */
export const issueTriageUpdateInput = { ...issueTriageInput, ...triageUpdateInput }

export const issueUpdateInput = {
  /** Not blank, at most 255 characters. */
  title: v.optional(v.string()),
  /** `close` or `reopen` the issue, after the other changes. An equal state stays unchanged. */
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
  ...detailsInput,
  ...issueTriageUpdateInput,
  /**
   * Time of the change for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or administrator.
   * Default: now.
   */
  updatedAt: v.optional(Instant),
}

const IssueUpdate = v.object(issueUpdateInput)

/** @throws PlatformError `forbidden` when the input has triage fields and the current user may not triage */
export const assertCanTriage = (
  ctx: Context,
  input: object,
  subject: Subjects['project'] | Subjects['issue'],
): void => {
  const hasTriageFields = Object.keys(issueTriageUpdateInput).some(
    (name) => (input as Record<string, unknown>)[name] !== undefined,
  )
  if (!hasTriageFields || hasAbility<'project' | 'issue'>(ctx.actor, subject, 'issue.triage')) return
  throw forbidden(
    'Only reporters and above can set labels, assignees, milestone, weight, health, confidentiality and the lock',
  )
}

type Ref = Pick<IssueRecord, 'projectId' | 'iid'>

const lifecycle = createLifecycle<Ref, IssueRecord, Issue>({
  table: 'issue',
  recordedStates: ['closed'],
  find: (ctx, { projectId, iid }) => findIssue(ctx, projectId, iid),
  complete: completeIssues,
  notify: (ctx, issue, state, via) =>
    state === 'closed'
      ? ctx.emit('issue.closed', { issue, ...(via !== undefined && { via }) })
      : ctx.emit('issue.reopened', { issue }),
  notifyUpdate: (ctx, before, after) => ctx.emit('issue.updated', { before, after }),
})

export const { reload, setState } = lifecycle

/**
 * Updates an issue. The caller must be permitted to update it. Present values change nothing.
 *
 * @throws PlatformError `forbidden` for triage fields if the current user may not triage, `invalid` for an invalid title
 */
export const updateIssue = async (
  ctx: Context,
  { stateEvent, ...fields }: Omit<v.InferOutput<typeof IssueUpdate>, 'updatedAt'>,
  subject: Subjects['issue'],
): Promise<Issue> => {
  const { labels, addLabels, removeLabels, assignees, milestone, epicId, epicIid, ...change } = fields
  assertCanTriage(ctx, fields, subject)
  const applyStateEvent = async () =>
    stateEvent ? setState(ctx, subject.issue, stateEvent === 'close' ? 'closed' : 'opened') : undefined
  if (Object.values(fields).every((value) => value === undefined)) return defined(await applyStateEvent())
  assertValidTitle(change.title)
  const milestoneId = await resolveMilestoneId(ctx, subject, milestone)
  const after = await lifecycle.update(ctx, subject.issue, async () => {
    await ctx.db
      .updateTable('issue')
      .set({ ...change, milestoneId, updatedAt: ctx.now })
      .where('id', '=', subject.issue.id)
      .execute()
    const triage = { labels, addLabels, removeLabels, assignees }
    await updateLabelsAndAssignees(ctx, 'issue', subject.issue.id, subject, triage)
    const epic = await resolveEpicId(ctx, subject.project, { epicId, epicIid })
    if (epic !== undefined) await setEpic(ctx, subject.issue.id, subject.project, epic || null)
  })
  return (await applyStateEvent()) ?? after
}
