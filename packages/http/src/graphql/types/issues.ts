import { IssueWire } from '../../shapes/issue.ts'
import { itemField, listField } from '../fields.ts'
import { filterTypes, issueArguments, readIssueFilter } from '../filters.ts'
import { findIssue } from '../references.ts'
import type { WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { issuableCalls, issuableComputed, issuableFields } from './issuable-fields.ts'
import { readIssuableLabels } from './labels.ts'

/** Issues. */
export const issuePart: SchemaPart = {
  types: `
enum IssuableState { opened closed locked all }
enum IssueState { opened closed locked all }
${filterTypes}
type Issue implements Noteable & Awardable & Todoable {
  id: ID!
  ${issuableFields}
  state: IssueState!
  confidential: Boolean!
  dueDate: Time
  weight: Int
  type: IssueType
}

extend type Project {
  issue(iid: String): Issue
  issues(${issueArguments}, ${paging}): IssueConnection
}
extend type Group { issues(${issueArguments}, ${paging}): IssueConnection }
extend type Query { issue(id: IssueID!): Issue }
`,
  resolvers: {
    Issue: { computed: issuableComputed, calls: { ...issuableCalls, labels: readIssuableLabels('issues') } },
    Project: {
      calls: {
        issue: itemField(IssueWire, ({ issues }, { id: project }: WithId, { iid }) =>
          issues.get({ project, issue: Number(iid ?? 0) }),
        ),
        issues: listField(IssueWire, ({ issues }, window, { id }: WithId, args) =>
          issues.list({ project: id, ...readIssueFilter(args), ...window }),
        ),
      },
    },
    Group: {
      calls: {
        issues: listField(IssueWire, ({ issues }, window, { id }: WithId, args) =>
          issues.list({ group: id, ...readIssueFilter(args), ...window }),
        ),
      },
    },
    Query: {
      calls: {
        issue: itemField(IssueWire, async (session, _source, { id }) =>
          session.issues.get(await findIssue(session, id)),
        ),
      },
    },
  },
}
