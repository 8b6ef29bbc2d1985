import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { mergeRequestPage } from '../shapes/issuable-pages.ts'
import { MergeRefWire, MergeRequestDetailsWire, RebaseWire, ReviewerWire } from '../shapes/merge-request-changes.ts'
import { readSingleAssignee, singleAssignee } from './single-assignee.ts'

const { mergeRequests } = features

const extension = { extension: true, errors: [422] } satisfies RouteOptions
/** Over HTTP, lists select a milestone by its title. */
const listOptions = { ...extension, accepts: { milestone: v.optional(v.string()) } } satisfies RouteOptions
const merging = { extension: true, errors: [405, 422] } satisfies RouteOptions
const names = { merge_request_iid: 'mergeRequest' } as const

const readBody: RouteOptions['rewrite'] = ({ allow_maintainer_to_push, ...others }) =>
  readSingleAssignee({
    ...(allow_maintainer_to_push !== undefined && { allow_collaboration: allow_maintainer_to_push }),
    ...others,
  })

/** The API names users and milestones by id. */
const writeOptions = {
  ...extension,
  names: { assignee_ids: 'assignees', reviewer_ids: 'reviewers', milestone_id: 'milestone' },
  rewrite: readBody,
  wireParameters: {
    ...singleAssignee,
    allow_maintainer_to_push: v.optional(
      v.pipe(v.boolean(), v.description('The former name of `allow_collaboration`, which takes precedence.')),
    ),
  },
} satisfies RouteOptions

const basePath = '/projects/:id/merge_requests'
const mergeRequestPath = `${basePath}/:merge_request_iid` as const

export const mergeRequestRoutes = [
  route('GET /merge_requests', mergeRequests.list, mergeRequestPage, {
    ...listOptions,
    hidden: ['project', 'group', 'commit'],
  }),
  route('GET /groups/:id/merge_requests', mergeRequests.list, mergeRequestPage, { ...listOptions, hidden: ['commit'] }),
  route(`GET ${basePath}`, mergeRequests.list, mergeRequestPage, { ...listOptions, hidden: ['nonArchived', 'commit'] }),
  route(`POST ${basePath}`, mergeRequests.create, one(MergeRequestDetailsWire), {
    ...writeOptions,
    hidden: ['author', 'iid'],
  }),
  route(`PUT ${mergeRequestPath}`, mergeRequests.update, one(MergeRequestDetailsWire), {
    ...writeOptions,
    names: { ...names, ...writeOptions.names },
  }),
  route(`DELETE ${mergeRequestPath}`, mergeRequests.remove, empty(), { extension: true, names }),
  route(`PUT ${mergeRequestPath}/merge`, mergeRequests.merge, one(MergeRequestDetailsWire), {
    ...merging,
    names,
    wireParameters: {
      skip_merge_train: v.optional(
        v.pipe(
          v.boolean(),
          v.description('Without effect: there are no merge trains, so that every merge skips them.'),
        ),
      ),
    },
  }),
  route(
    `POST ${mergeRequestPath}/cancel_merge_when_pipeline_succeeds`,
    mergeRequests.cancelAutoMerge,
    one(MergeRequestDetailsWire),
    {
      ...merging,
      names,
    },
  ),
  route(`PUT ${mergeRequestPath}/rebase`, mergeRequests.rebase, one(RebaseWire, 202), { ...merging, names }),
  route(`GET ${mergeRequestPath}/merge_ref`, mergeRequests.getMergeRef, one(MergeRefWire), { ...extension, names }),
  route(`GET ${mergeRequestPath}/reviewers`, mergeRequests.listReviewers, page(ReviewerWire), { ...extension, names }),
]
