import { sliceConnection } from '../connection.ts'
import type { Arguments, Json, Resolvers, With } from '../resolver.ts'
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

export type Timed = With<{ time_stats: Json }>

/** Resolvers of these fields. */
export const issuableComputed = {
  webPath: toWebPath,
  timeEstimate: ({ time_stats: stats }: Timed) => stats.time_estimate,
  totalTimeSpent: ({ time_stats: stats }: Timed) => stats.total_time_spent,
  humanTimeEstimate: ({ time_stats: stats }: Timed) => stats.human_time_estimate,
  humanTotalTimeSpent: ({ time_stats: stats }: Timed) => stats.human_total_time_spent,
  reference: ({ references }: With<{ references: Json }>, { full }: Arguments) => references[full ? 'full' : 'short'],
  assignees: ({ assignees }: With<{ assignees: Json[] }>, args: Arguments) => sliceConnection(args, assignees),
} satisfies Resolvers

/** The project of an item. */
export const issuableCalls: Resolvers = {
  project: ({ project_id: project }: With<{ project_id: number }>, _args, context) => readProject(project, context),
}
