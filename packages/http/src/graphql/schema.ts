/** A list with cursors, as in the specification of cursor connections. */
const connection = (type: string) => `
type ${type}Connection {
  nodes: [${type}]
  edges: [${type}Edge]
  pageInfo: PageInfo!
  "Number of items; null for more than 10,000."
  count: Int
}
type ${type}Edge { cursor: String! node: ${type} }
`

/** Arguments of a list: \`first\` items (default and maximum: 100) after a cursor. */
const paging = 'first: Int, after: String'

const issuableFilter =
  'state: IssuableState, search: String, labelName: [String!], authorUsername: String, assigneeUsername: String, iids: [String!]'

const userFields = `
  id: UserID!
  username: String!
  name: String!
  state: UserState!
  avatarUrl: String
  webUrl: String!
  webPath: String!
  "Always null: no profile has a public address."
  publicEmail: String
`

const issuableFields = `
  iid: String!
  title: String!
  description: String
  state: IssuableState!
  createdAt: Time!
  updatedAt: Time!
  closedAt: Time
  webUrl: String!
  webPath: String!
  author: UserCore
  milestone: Milestone
  userNotesCount: Int!
  upvotes: Int!
  downvotes: Int!
  discussionLocked: Boolean!
  "Reference in other projects, such as acme/web#7, with full; otherwise #7."
  reference(full: Boolean = false): String!
  assignees(${paging}): UserCoreConnection
  labels(${paging}): LabelConnection
  notes(${paging}): NoteConnection
`

const payload = (field: string) => `{ ${field} errors: [String!]! clientMutationId: String }`

/** The types and fields have the names and meanings of GitLab's GraphQL API; \`docs/guide/graphql.md\` lists what is left out. */
export const schemaText = `
scalar Time
scalar Date
scalar UserID

type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

enum UserState { active blocked banned deactivated }
enum IssuableState { opened closed merged locked all }
enum GroupMemberRelation { DIRECT INHERITED DESCENDANTS SHARED_FROM_GROUPS }
enum ProjectMemberRelation { DIRECT INHERITED DESCENDANTS INVITED_GROUPS SHARED_INTO_ANCESTORS }
enum IssueStateEvent { REOPEN CLOSE }
enum MergeRequestNewState { OPEN CLOSED }
enum AccessLevelEnum { NO_ACCESS GUEST REPORTER DEVELOPER MAINTAINER OWNER }

type AccessLevel { stringValue: AccessLevelEnum integerValue: Int }
type Metadata { version: String! revision: String! enterprise: Boolean! }

type UserCore { ${userFields} }
type CurrentUser { ${userFields} commitEmail: String }

type Label { id: ID! title: String! color: String! textColor: String! description: String }
type Milestone {
  id: ID! iid: ID! title: String! description: String state: String! dueDate: Date startDate: Date webPath: String!
  createdAt: Time! updatedAt: Time!
}
type Note { id: ID! body: String! author: UserCore createdAt: Time! updatedAt: Time! system: Boolean! internal: Boolean }

type GroupMember { id: ID! user: UserCore accessLevel: AccessLevel createdAt: Time expiresAt: Time }
type ProjectMember { id: ID! user: UserCore accessLevel: AccessLevel createdAt: Time expiresAt: Time }

type Namespace { id: ID! name: String! path: String! fullPath: ID! fullName: String visibility: String description: String }

type Group {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  fullName: String!
  description: String
  visibility: String!
  avatarUrl: String
  webUrl: String!
  createdAt: Time
  requestAccessEnabled: Boolean
  parent: Group
  descendantGroups(search: String, ${paging}): GroupConnection
  projects(includeSubgroups: Boolean = false, search: String, ${paging}): ProjectConnection
  groupMembers(search: String, relations: [GroupMemberRelation!] = [DIRECT, INHERITED], ${paging}): GroupMemberConnection
  issues(${issuableFilter}, ${paging}): IssueConnection
  mergeRequests(${issuableFilter}, ${paging}): MergeRequestConnection
  labels(search: String, ${paging}): LabelConnection
  milestones(${paging}): MilestoneConnection
}

type Repository { exists: Boolean! empty: Boolean! rootRef: String }

type Project {
  id: ID!
  name: String!
  nameWithNamespace: String!
  path: String!
  fullPath: ID!
  description: String
  visibility: String
  archived: Boolean
  avatarUrl: String
  webUrl: String
  httpUrlToRepo: String
  sshUrlToRepo: String
  starCount: Int!
  forksCount: Int!
  openIssuesCount: Int
  createdAt: Time
  lastActivityAt: Time
  issuesEnabled: Boolean
  mergeRequestsEnabled: Boolean
  snippetsEnabled: Boolean
  wikiEnabled: Boolean
  topics: [String!]
  repository: Repository
  namespace: Namespace
  group: Group
  projectMembers(search: String, relations: [ProjectMemberRelation!] = [DIRECT, INHERITED], ${paging}): ProjectMemberConnection
  issue(iid: String!): Issue
  issues(${issuableFilter}, ${paging}): IssueConnection
  mergeRequest(iid: String!): MergeRequest
  mergeRequests(${issuableFilter}, sourceBranches: [String!], targetBranches: [String!], ${paging}): MergeRequestConnection
  labels(search: String, ${paging}): LabelConnection
  milestones(${paging}): MilestoneConnection
}

type Issue {
  id: ID!
  ${issuableFields}
  confidential: Boolean!
  dueDate: Time
  type: String
}

type MergeRequest {
  id: ID!
  ${issuableFields}
  sourceBranch: String!
  targetBranch: String!
  sourceProjectId: Int
  targetProjectId: Int!
  draft: Boolean!
  conflicts: Boolean!
  mergedAt: Time
  mergeUser: UserCore
  mergeCommitSha: String
  diffHeadSha: String
  detailedMergeStatus: String
  reviewers(${paging}): UserCoreConnection
}

${['UserCore', 'Label', 'Milestone', 'Note', 'GroupMember', 'ProjectMember', 'Group', 'Project', 'Issue', 'MergeRequest'].map(connection).join('')}

type Query {
  "The user of the request; null for anonymous requests."
  currentUser: CurrentUser
  user(id: UserID, username: String): UserCore
  users(search: String, usernames: [String!], ${paging}): UserCoreConnection
  project(fullPath: ID!): Project
  projects(search: String, membership: Boolean, ${paging}): ProjectConnection
  group(fullPath: ID!): Group
  groups(search: String, ${paging}): GroupConnection
  metadata: Metadata
  echo(text: String!): String!
}

input CreateIssueInput {
  projectPath: ID! title: String! description: String confidential: Boolean labels: [String!] assigneeIds: [UserID!]
  dueDate: Date clientMutationId: String
}
input UpdateIssueInput {
  projectPath: ID! iid: String! title: String description: String confidential: Boolean stateEvent: IssueStateEvent
  dueDate: Date clientMutationId: String
}
input MergeRequestCreateInput {
  projectPath: ID! title: String! sourceBranch: String! targetBranch: String! description: String labels: [String!]
  clientMutationId: String
}
input MergeRequestUpdateInput {
  projectPath: ID! iid: String! title: String description: String targetBranch: String state: MergeRequestNewState
  clientMutationId: String
}

type CreateIssuePayload ${payload('issue: Issue')}
type UpdateIssuePayload ${payload('issue: Issue')}
type MergeRequestCreatePayload ${payload('mergeRequest: MergeRequest')}
type MergeRequestUpdatePayload ${payload('mergeRequest: MergeRequest')}

type Mutation {
  createIssue(input: CreateIssueInput!): CreateIssuePayload
  updateIssue(input: UpdateIssueInput!): UpdateIssuePayload
  mergeRequestCreate(input: MergeRequestCreateInput!): MergeRequestCreatePayload
  mergeRequestUpdate(input: MergeRequestUpdateInput!): MergeRequestUpdatePayload
}
`
