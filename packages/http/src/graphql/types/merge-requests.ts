import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { sliceConnection } from '../connection.ts'
import { itemField, listField } from '../fields.ts'
import { mergeRequestArguments, readMergeRequestFilter } from '../filters.ts'
import { findMergeRequest } from '../references.ts'
import type { Json, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { issuableCalls, issuableComputed, issuableFields } from './issuable-fields.ts'
import { readIssuableLabels } from './labels.ts'
import { readProject } from './projects.ts'

/** Merge requests. */
export const mergeRequestPart: SchemaPart = {
  types: `
enum MergeRequestState { opened closed merged locked all }

type MergeRequest implements Noteable & Awardable & Todoable {
  id: ID!
  ${issuableFields}
  state: MergeRequestState!
  sourceBranch: String!
  targetBranch: String!
  "Null for users who cannot see it, and after its removal."
  sourceProjectId: Int
  "Null for users who cannot see it, and after its removal."
  sourceProject: Project
  targetProject: Project!
  allowCollaboration: Boolean
  targetProjectId: Int!
  draft: Boolean!
  conflicts: Boolean!
  mergedAt: Time
  mergeUser: UserCore
  mergeCommitSha: String
  diffHeadSha: String
  detailedMergeStatus: String
  squash: Boolean!
  shouldRemoveSourceBranch: Boolean
  forceRemoveSourceBranch: Boolean
  reviewers(${paging}): UserCoreConnection
}

extend type Project {
  mergeRequest(iid: String!): MergeRequest
  mergeRequests(${mergeRequestArguments}, ${paging}): MergeRequestConnection
}
extend type Group { mergeRequests(${mergeRequestArguments}, ${paging}): MergeRequestConnection }
extend type Query { mergeRequest(id: MergeRequestID!): MergeRequest }
`,
  resolvers: {
    MergeRequest: {
      computed: {
        ...issuableComputed,
        conflicts: ({ has_conflicts: conflicts }) => conflicts,
        diffHeadSha: ({ sha }) => sha,
        detailedMergeStatus: ({ detailed_merge_status: status }) => String(status).toUpperCase(),
        reviewers: ({ reviewers }: With<{ reviewers: Json[] }>, args) => sliceConnection(args, reviewers),
      },
      calls: {
        ...issuableCalls,
        labels: readIssuableLabels('mergeRequests'),
        sourceProject: ({ source_project_id: id }: With<{ source_project_id: number | null }>, _args, context) =>
          id === null ? null : readProject(id, context),
        targetProject: ({ target_project_id: id }: With<{ target_project_id: number }>, _args, context) =>
          readProject(id, context),
      },
    },
    Project: {
      calls: {
        mergeRequest: itemField(MergeRequestWire, ({ mergeRequests }, { id: project }: WithId, { iid }) =>
          mergeRequests.get({ project: project, mergeRequest: Number(iid) }),
        ),
        mergeRequests: listField(MergeRequestWire, ({ mergeRequests }, window, { id }: WithId, args) =>
          mergeRequests.list({ project: id, ...readMergeRequestFilter(args), ...window }),
        ),
      },
    },
    Group: {
      calls: {
        mergeRequests: listField(MergeRequestWire, ({ mergeRequests }, window, { id }: WithId, args) =>
          mergeRequests.list({ group: id, ...readMergeRequestFilter(args), ...window }),
        ),
      },
    },
    Query: {
      calls: {
        mergeRequest: itemField(MergeRequestWire, async (session, _source, { id }) =>
          session.mergeRequests.get(await findMergeRequest(session, id)),
        ),
      },
    },
  },
}
