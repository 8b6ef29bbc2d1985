import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import { MergeRequestDetailsWire } from '../shapes/merge-request-changes.ts'

const { mergeRequests, mergeRequestChanges } = features

const extension = { extension: true } satisfies RouteOptions
/** The API names users and milestones by id. */
const writeNames = { assignee_ids: 'assignees', milestone_id: 'milestone' } as const
const names = { merge_request_iid: 'mergeRequest' } as const

const basePath = '/projects/:id/merge_requests'
const mergeRequestPath = `${basePath}/:merge_request_iid` as const

export const mergeRequestRoutes = [
  route(`GET ${basePath}`, mergeRequests.list, page(MergeRequestWire), extension),
  route(`POST ${basePath}`, mergeRequests.create, one(MergeRequestWire), {
    ...extension,
    names: writeNames,
    hidden: ['author', 'iid'],
  }),
  route(`GET ${mergeRequestPath}`, mergeRequestChanges.get, one(MergeRequestDetailsWire), { ...extension, names }),
  route(`PUT ${mergeRequestPath}`, mergeRequests.update, one(MergeRequestWire), {
    ...extension,
    names: { ...names, ...writeNames },
  }),
  route(`PUT ${mergeRequestPath}/merge`, mergeRequests.merge, one(MergeRequestWire), { ...extension, names }),
]
