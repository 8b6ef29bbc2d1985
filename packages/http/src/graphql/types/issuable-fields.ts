import { sliceConnection } from '../connection.ts'
import type { Json, Resolvers } from '../resolver.ts'
import { paging } from '../schema-part.ts'
import { toWebPath } from '../web-path.ts'
import { readProject } from './projects.ts'

/** Fields that issues and merge requests have in common. */
export const issuableFields = `
  iid: String!
  title: String!
  description: String
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
  "In seconds."
  timeEstimate: Int!
  "In seconds."
  totalTimeSpent: Int!
  humanTimeEstimate: String
  humanTotalTimeSpent: String
  "Reference in other projects, such as acme/web#7, with full; otherwise #7."
  reference(full: Boolean = false): String!
  project: Project
  assignees(${paging}): UserCoreConnection
  labels(${paging}): LabelConnection
`

const timeStatsOf = ({ time_stats: stats }: Json) => stats as Json

/** Resolvers of these fields. */
export const issuableComputed: Resolvers = {
  webPath: toWebPath,
  timeEstimate: (item) => timeStatsOf(item).time_estimate,
  totalTimeSpent: (item) => timeStatsOf(item).total_time_spent,
  humanTimeEstimate: (item) => timeStatsOf(item).human_time_estimate,
  humanTotalTimeSpent: (item) => timeStatsOf(item).human_total_time_spent,
  reference: ({ references }, { full }) => (references as Json)[full ? 'full' : 'relative'],
  assignees: ({ assignees }, args) => sliceConnection(args, assignees as Json[]),
}

/** The project of an item. */
export const issuableCalls: Resolvers = {
  project: ({ project_id: project }, _args, context) => readProject(project as number, context),
}
