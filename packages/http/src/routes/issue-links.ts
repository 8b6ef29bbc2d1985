import { features, type IssueLink, type LinkedIssue } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { IssueDetailsWire, IssueWire } from '../shapes/issue.ts'

const { issueLinks } = features

/** An issue at the other end of a link. */
const LinkedIssueWire = wire<LinkedIssue>('LinkedIssue')({
  ...IssueWire.fields,
  issue_link_id: Integer,
  link_type: v.string(),
  link_created_at: DateTime,
  link_updated_at: DateTime,
})

const IssueLinkWire = wire<IssueLink>('IssueLink')({
  id: Integer,
  source_issue: IssueDetailsWire,
  target_issue: IssueDetailsWire,
  link_type: v.string(),
})

const base = '/projects/:id/issues/:issue_iid/links'
const options = { extension: true, names: { issue_iid: 'issue' } } satisfies RouteOptions
const linkOptions = {
  ...options,
  names: { ...options.names, issue_link_id: 'issueLink' },
} satisfies RouteOptions

export const issueLinkRoutes = [
  route(`GET ${base}`, issueLinks.list, page(LinkedIssueWire), options),
  route(`POST ${base}`, issueLinks.create, one(IssueLinkWire), {
    ...options,
    names: { ...options.names, target_project_id: 'targetProject', target_issue_iid: 'targetIssue' },
  }),
  route(`GET ${base}/:issue_link_id`, issueLinks.get, one(IssueLinkWire), linkOptions),
  route(`DELETE ${base}/:issue_link_id`, issueLinks.remove, one(IssueLinkWire), linkOptions),
]
