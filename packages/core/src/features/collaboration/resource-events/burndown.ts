import { withGrants } from '../../../access/grants.ts'
import { readableIssues } from '../../../access/predicates.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import type { BurndownEvent } from './resource-event.ts'

/** The issues of a milestone that the current user can read. */
const selectIssues = async (ctx: Context, milestoneId: number) =>
  ctx.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issue.milestoneId', '=', milestoneId)
    .where(readableIssues(await withGrants(ctx)))

/** Issues that were closed before their changes were recorded have the time of their last closing only. */
const selectUnrecorded = async (ctx: Context, milestoneId: number) =>
  (await selectIssues(ctx, milestoneId))
    .where('issue.state', '=', 'closed')
    .where('issue.closedAt', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('resourceEvent')
            .whereRef('resourceEvent.issueId', '=', 'issue.id')
            .where('resourceEvent.kind', '=', 'state')
            .where('resourceEvent.action', '=', 'closed')
            .select('resourceEvent.id'),
        ),
      ),
    )

/** The creation, closing and reopening of the issues of a milestone, oldest first. */
export const listBurndownEvents = async (
  ctx: Context,
  milestoneId: number,
  paging: PagingInput,
): Promise<Page<BurndownEvent>> => {
  const created = (await selectIssues(ctx, milestoneId)).select((eb) => [
    'issue.id as issueId',
    'issue.createdAt as at',
    'issue.weight',
    eb.lit(0).as('eventId'),
    eb.val('created').as('action'),
  ])
  const changed = (await selectIssues(ctx, milestoneId))
    .innerJoin('resourceEvent', 'resourceEvent.issueId', 'issue.id')
    .where('resourceEvent.kind', '=', 'state')
    .select(['issue.id as issueId', 'resourceEvent.createdAt as at', 'issue.weight', 'resourceEvent.id as eventId'])
    .select('resourceEvent.action')
  const unrecorded = (await selectUnrecorded(ctx, milestoneId)).select((eb) => [
    'issue.id as issueId',
    'issue.closedAt as at',
    'issue.weight',
    eb.lit(0).as('eventId'),
    eb.val('closed').as('action'),
  ])
  const rows = ctx.db
    .selectFrom(
      created
        .unionAll(changed as never)
        .unionAll(unrecorded as never)
        .as('change'),
    )
    .orderBy('change.at')
    .orderBy('change.issueId')
    .orderBy('change.eventId')
    .orderBy('change.action', 'desc')
    .select(['change.at', 'change.action', 'change.weight'])
  return paginate(rows, paging, ({ at, action, weight }) => ({
    createdAt: at,
    action: action as BurndownEvent['action'],
    weight,
  }))
}
