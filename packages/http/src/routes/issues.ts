import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { IssueWire } from '../shapes/issue.ts'

const { issues } = features

const extension = { extension: true } satisfies RouteOptions
/** The API names users and milestones by id. */
const writeNames = { assignee_ids: 'assignees', milestone_id: 'milestone' } as const
const names = { issue_iid: 'issue' } as const

const basePath = '/projects/:id/issues'

export const issueRoutes = [
  route(`GET ${basePath}`, issues.list, page(IssueWire), extension),
  route(`POST ${basePath}`, issues.create, one(IssueWire), {
    ...extension,
    names: writeNames,
    hidden: ['author', 'iid'],
  }),
  route(`GET ${basePath}/:issue_iid`, issues.get, one(IssueWire), { ...extension, names }),
  route(`PUT ${basePath}/:issue_iid`, issues.update, one(IssueWire), {
    ...extension,
    names: { ...names, ...writeNames },
  }),
]
