import { features, type Operation } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { listInputsExcept, type RouteOptions, route } from '../routing/route.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import { MilestoneWire } from '../shapes/milestone.ts'

const { issues, mergeRequests, milestones } = features

const extension = { extension: true } satisfies RouteOptions
/** The path contains the id of the milestone on the instance. */
const milestoneOptions = {
  ...extension,
  names: { milestone_id: 'milestoneId' },
  hidden: ['milestone'],
} satisfies RouteOptions

/** The items of a milestone are not filtered, also not by whether their project is archived. */
const getListOptions = (operation: Operation): RouteOptions => ({
  ...extension,
  names: { milestone_id: 'milestone' },
  accepts: { milestone_id: v.pipe(v.number(), v.safeInteger()) },
  fixedInput: { nonArchived: false },
  hidden: listInputsExcept(operation, 'project', 'group', 'milestone', 'page', 'perPage'),
})

/** Clients use either name of the parameter that includes milestones of the groups above. */
const renameAncestors: RouteOptions['rewrite'] = ({ include_parent_milestones: parents, ...others }) =>
  parents === undefined ? others : { include_ancestors: parents, ...others }

const projectPath = '/projects/:id/milestones'

export const milestoneRoutes = [
  ...([projectPath, '/groups/:id/milestones'] as const).flatMap((base) => [
    route(`GET ${base}`, milestones.list, page(MilestoneWire), {
      ...extension,
      rewrite: renameAncestors,
      ...(base === projectPath
        ? { hidden: ['includeDescendants'] }
        : { names: { include_descendents: 'includeDescendants' } }),
    }),
    route(`POST ${base}`, milestones.create, one(MilestoneWire), { ...extension, hidden: ['iid'] }),
    route(`GET ${base}/:milestone_id`, milestones.get, one(MilestoneWire), milestoneOptions),
    route(`PUT ${base}/:milestone_id`, milestones.update, one(MilestoneWire), {
      ...milestoneOptions,
      hidden: ['milestone', 'state'],
    }),
    route(`DELETE ${base}/:milestone_id`, milestones.remove, empty(), milestoneOptions),
    route(`GET ${base}/:milestone_id/issues`, issues.list, page(IssueWire), getListOptions(issues.list)),
    route(
      `GET ${base}/:milestone_id/merge_requests`,
      mergeRequests.list,
      page(MergeRequestWire),
      getListOptions(mergeRequests.list),
    ),
  ]),
  route(`POST ${projectPath}/:milestone_id/promote`, milestones.promote, one(MilestoneWire), {
    ...milestoneOptions,
    creates: false,
  }),
]
