import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { file, one, page } from '../reply/responders.ts'
import { listInputsExcept, type RouteOptions, route } from '../routing/route.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import {
  MergeRequestDetailsWire,
  MergeRequestWithChangesWire,
  VersionDetailsWire,
  VersionWire,
} from '../shapes/merge-request-changes.ts'
import { CommitWire, DiffWire } from '../shapes/repository.ts'

const { mergeRequests } = features

const basePath = '/projects/:id/merge_requests/:merge_request_iid'
/** Plain text, so that browsers cannot run user content with the origin of this site. */
const rawDiffs = file(['text/plain'], (text: string) => ({
  bytes: Buffer.from(text),
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Security-Policy': "sandbox; default-src 'none'" },
}))

/** Not in the specification; code review tools need them. */
const mergeRequestOptions = {
  extension: true,
  errors: [422],
  names: { merge_request_iid: 'mergeRequest' },
} satisfies RouteOptions
const issueOptions = { extension: true, errors: [422], names: { issue_iid: 'issue' } } satisfies RouteOptions

export const mergeRequestChangeRoutes = [
  route(`GET ${basePath}`, mergeRequests.get, one(MergeRequestDetailsWire), {
    ...mergeRequestOptions,
    wireParameters: {
      include_rebase_in_progress: v.optional(
        v.pipe(v.boolean(), v.description('Without effect: the response always has `rebase_in_progress`.')),
      ),
    },
  }),
  route(`GET ${basePath}/commits`, mergeRequests.listCommits, page(CommitWire, false), mergeRequestOptions),
  route(`GET ${basePath}/diffs`, mergeRequests.listDiffs, page(DiffWire, false), mergeRequestOptions),
  route(`GET ${basePath}/raw_diffs`, mergeRequests.getRawDiffs, rawDiffs, mergeRequestOptions),
  route(`GET ${basePath}/changes`, mergeRequests.getChanges, one(MergeRequestWithChangesWire), {
    ...mergeRequestOptions,
    wireParameters: {
      access_raw_diffs: v.optional(
        v.pipe(v.boolean(), v.description('Without effect: diffs are always read from the repository.')),
      ),
    },
  }),
  route(`GET ${basePath}/versions`, mergeRequests.listVersions, page(VersionWire), mergeRequestOptions),
  route(`GET ${basePath}/versions/:version_id`, mergeRequests.getVersion, one(VersionDetailsWire), {
    ...mergeRequestOptions,
    names: { ...mergeRequestOptions.names, version_id: 'version' },
  }),
  route(`GET ${basePath}/closes_issues`, mergeRequests.listClosedIssues, page(IssueWire), mergeRequestOptions),
  route(`GET ${basePath}/related_issues`, mergeRequests.listRelatedIssues, page(IssueWire), mergeRequestOptions),
  route('GET /projects/:id/repository/commits/:sha/merge_requests', mergeRequests.list, page(MergeRequestWire), {
    extension: true,
    errors: [422],
    names: { sha: 'commit' },
    hidden: listInputsExcept(mergeRequests.list, 'project', 'commit', 'state', 'page', 'perPage'),
  }),
  route(
    'GET /projects/:id/issues/:issue_iid/related_merge_requests',
    mergeRequests.listRelated,
    page(MergeRequestWire),
    issueOptions,
  ),
  route(
    'GET /projects/:id/issues/:issue_iid/closed_by',
    mergeRequests.listClosing,
    page(MergeRequestWire),
    issueOptions,
  ),
]
