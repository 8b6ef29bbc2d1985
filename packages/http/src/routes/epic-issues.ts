import { type EpicIssue, type EpicIssueLink, features } from '@forgelet/core/operations'
import { Integer } from '../reply/field-types.ts'
import { one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { EpicWire } from '../shapes/epic.ts'
import { IssueDetailsWire, IssueWire } from '../shapes/issue.ts'

const { epicIssues } = features

/** An issue in the list of an epic. */
const EpicIssueWire = wire<EpicIssue>('EpicIssue')({
  ...IssueDetailsWire.fields,
  epic_issue_id: Integer,
  relative_position: Integer,
})

const EpicIssueLinkWire = wire<EpicIssueLink>('EpicIssueLink')({ id: Integer, epic: EpicWire, issue: IssueWire })

const base = '/groups/:id/epics/:epic_iid/issues'
const extension = { extension: true } satisfies RouteOptions
const epicNames = { epic_iid: 'epic' }
const linkOptions = { ...extension, names: { ...epicNames, epic_issue_id: 'epicIssue' } } satisfies RouteOptions

export const epicIssueRoutes = [
  route(`GET ${base}`, epicIssues.list, page(EpicIssueWire), { ...extension, names: epicNames }),
  // The path parameter has the same name as those below, as OpenAPI requires.
  route(`POST ${base}/:epic_issue_id`, epicIssues.assign, one(EpicIssueLinkWire), {
    ...extension,
    names: { ...epicNames, epic_issue_id: 'issue' },
  }),
  route(`PUT ${base}/:epic_issue_id`, epicIssues.reorder, page(EpicIssueWire), linkOptions),
  route(`DELETE ${base}/:epic_issue_id`, epicIssues.remove, one(EpicIssueLinkWire), linkOptions),
]
