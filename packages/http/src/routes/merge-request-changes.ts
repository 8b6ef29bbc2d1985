import { features } from '@forgelet/core/operations'
import { file, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import { MergeRequestWithChangesWire, VersionDetailsWire, VersionWire } from '../shapes/merge-request-changes.ts'
import { CommitWire, DiffWire } from '../shapes/repository.ts'

const { mergeRequestChanges } = features

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
  route(`GET ${basePath}/commits`, mergeRequestChanges.listCommits, page(CommitWire, false), mergeRequestOptions),
  route(`GET ${basePath}/diffs`, mergeRequestChanges.listDiffs, page(DiffWire, false), mergeRequestOptions),
  route(`GET ${basePath}/raw_diffs`, mergeRequestChanges.getRawDiffs, rawDiffs, mergeRequestOptions),
  route(
    `GET ${basePath}/changes`,
    mergeRequestChanges.getChanges,
    one(MergeRequestWithChangesWire),
    mergeRequestOptions,
  ),
  route(`GET ${basePath}/versions`, mergeRequestChanges.listVersions, page(VersionWire), mergeRequestOptions),
  route(`GET ${basePath}/versions/:version_id`, mergeRequestChanges.getVersion, one(VersionDetailsWire), {
    ...mergeRequestOptions,
    names: { ...mergeRequestOptions.names, version_id: 'version' },
  }),
  route(`GET ${basePath}/closes_issues`, mergeRequestChanges.listClosedIssues, page(IssueWire), mergeRequestOptions),
  route(`GET ${basePath}/related_issues`, mergeRequestChanges.listRelatedIssues, page(IssueWire), mergeRequestOptions),
  route(
    'GET /projects/:id/repository/commits/:sha/merge_requests',
    mergeRequestChanges.ofCommit,
    page(MergeRequestWire),
    {
      extension: true,
      errors: [422],
    },
  ),
  route(
    'GET /projects/:id/issues/:issue_iid/related_merge_requests',
    mergeRequestChanges.relatedToIssue,
    page(MergeRequestWire),
    issueOptions,
  ),
  route(
    'GET /projects/:id/issues/:issue_iid/closed_by',
    mergeRequestChanges.closingIssue,
    page(MergeRequestWire),
    issueOptions,
  ),
]
