import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { issuePage } from '../shapes/issuable-pages.ts'
import { IssueDetailsWire } from '../shapes/issue.ts'
import { readSingleAssignee, singleAssignee } from './single-assignee.ts'

const { issues } = features

const extension = { extension: true } satisfies RouteOptions
/** The API names users and milestones by id. */
const writeNames = { assignee_ids: 'assignees', milestone_id: 'milestone' } as const
/** Over HTTP, lists select a milestone by its title. */
const listOptions = { ...extension, accepts: { milestone: v.optional(v.string()) } } satisfies RouteOptions
const names = { issue_iid: 'issue' } as const

const timePattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/

/** Some clients send the due date as a time, of which the API uses the day. */
const readDueDate: RouteOptions['rewrite'] = ({ due_date, ...others }) => {
  if (due_date === undefined) return others
  return { ...others, due_date: typeof due_date === 'string' ? due_date.replace(timePattern, '$1') : due_date }
}

const readBody: RouteOptions['rewrite'] = (body) => readDueDate(readSingleAssignee(body))

const basePath = '/projects/:id/issues'

export const issueRoutes = [
  route('GET /issues', issues.list, issuePage, { ...listOptions, hidden: ['project', 'group'] }),
  route('GET /groups/:id/issues', issues.list, issuePage, listOptions),
  route(`GET ${basePath}`, issues.list, issuePage, { ...listOptions, hidden: ['nonArchived'] }),
  route(`POST ${basePath}`, issues.create, one(IssueDetailsWire), {
    ...extension,
    names: writeNames,
    rewrite: readBody,
    wireParameters: singleAssignee,
    hidden: ['author', 'healthStatus'],
  }),
  route('GET /issues/:id', issues.get, one(IssueDetailsWire), { ...extension, hidden: ['project', 'issue'] }),
  route(`GET ${basePath}/:issue_iid`, issues.get, one(IssueDetailsWire), { ...extension, names, hidden: ['id'] }),
  route(`DELETE ${basePath}/:issue_iid`, issues.remove, empty(), { ...extension, names }),
  route(`POST ${basePath}/:issue_iid/move`, issues.move, one(IssueDetailsWire), {
    ...extension,
    names: { ...names, to_project_id: 'toProject' },
  }),
  route(`POST ${basePath}/:issue_iid/clone`, issues.clone, one(IssueDetailsWire), {
    ...extension,
    names: { ...names, to_project_id: 'toProject' },
  }),
  route(`PUT ${basePath}/:issue_iid/reorder`, issues.reorder, one(IssueDetailsWire), { ...extension, names }),
  route(`PUT ${basePath}/:issue_iid`, issues.update, one(IssueDetailsWire), {
    ...extension,
    names: { ...names, ...writeNames },
    rewrite: readBody,
    wireParameters: singleAssignee,
    hidden: ['healthStatus'],
  }),
]
