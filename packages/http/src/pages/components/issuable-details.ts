import { formatWorkDuration, type Issue, type MergeRequest } from '@forgelet/core/operations'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { IssuableKind } from './issuable-list.ts'
import { type LabelColors, labelList } from './label.ts'
import { milestoneUrl } from './milestone.ts'
import { details } from './rows.ts'
import { day } from './time.ts'
import { userLink, userLinks } from './user.ts'

const milestoneLink = (ctx: PageContext, { milestone }: Issue | MergeRequest): Html | string =>
  milestone === null ? 'None' : html`<a href="${milestoneUrl(ctx, milestone)}">${milestone.title}</a>`

const formatTime = ({ timeEstimate, totalTimeSpent }: Issue | MergeRequest): string | undefined => {
  if (timeEstimate === 0 && totalTimeSpent === 0) return undefined
  const spent = `${formatWorkDuration(totalTimeSpent) || '0h'} spent`
  return timeEstimate === 0 ? spent : `${spent} of ${formatWorkDuration(timeEstimate)}`
}

interface IssuableDetails {
  readonly kind: IssuableKind
  readonly colors: LabelColors
  /** What only one of the kinds has. */
  readonly own: Readonly<Record<string, HtmlValue>>
}

/** Details of an issue or a merge request. */
export const issuableDetails = (
  ctx: PageContext,
  item: Issue | MergeRequest,
  { kind, colors, own }: IssuableDetails,
): Html | false =>
  details({
    Author: html`${userLink(ctx, item.author)}, ${day(item.createdAt)}`,
    Assignees: item.assignees.length > 0 ? userLinks(ctx, item.assignees) : 'None',
    ...own,
    Labels: labelList({ names: item.labels, colors, listUrl: ctx.url(item.projectPath, '-', kind.segment) }) || 'None',
    Milestone: milestoneLink(ctx, item),
    Time: formatTime(item),
    Comments: item.userNotesCount > 0 && item.userNotesCount,
    Discussion: item.discussionLocked && 'Locked: only members of the project can comment',
    Closed:
      item.closedAt !== null &&
      html`${day(item.closedAt)}${item.closedBy && html` by ${userLink(ctx, item.closedBy)}`}`,
  })
