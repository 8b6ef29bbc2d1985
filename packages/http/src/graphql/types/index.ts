import type { SchemaPart } from '../schema-part.ts'
import { absentWidgetPart } from './absent-widgets.ts'
import { awardEmojiPart } from './award-emoji.ts'
import { commitMutationPart } from './commit-mutations.ts'
import { groupPart } from './groups.ts'
import { issueMutationPart } from './issue-mutations.ts'
import { issuePart } from './issues.ts'
import { labelPart } from './labels.ts'
import { memberPart } from './members.ts'
import { mergeRequestChangePart } from './merge-request-changes.ts'
import { mergeRequestMutationPart } from './merge-request-mutations.ts'
import { mergeRequestPart } from './merge-requests.ts'
import { milestonePart } from './milestones.ts'
import { namespacePart } from './namespaces.ts'
import { noteMutationPart } from './note-mutations.ts'
import { notePart } from './notes.ts'
import { pipelinePart } from './pipelines.ts'
import { projectPart } from './projects.ts'
import { releasePart } from './releases.ts'
import { repositoryPart } from './repository.ts'
import { todoPart } from './todos.ts'
import { userPart } from './users.ts'
import { workItemLinkPart } from './work-item-links.ts'
import { workItemListPart } from './work-item-lists.ts'
import { workItemMutationPart } from './work-item-mutations.ts'
import { workItemTypePart } from './work-item-types.ts'
import { workItemWidgetPart } from './work-item-widgets.ts'
import { workItemPart } from './work-items.ts'

/** Scalars and types without objects of the platform. */
const basePart: SchemaPart = {
  types: `
scalar Time
scalar Date

type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type Metadata { version: String! revision: String! enterprise: Boolean! }

enum MutationOperationMode { REPLACE APPEND REMOVE }

extend type Query {
  metadata: Metadata
  echo(text: String!): String!
}
`,
  resolvers: {
    Query: {
      calls: {
        metadata: (_source, _args, { session }) => session.instance.getVersion(),
        echo: async (_source, { text }, { session }) => {
          const caller = await session.users.get().catch(() => undefined)
          return `${JSON.stringify(caller?.username ?? null)} says: ${text}`
        },
      },
    },
  },
}

/** The parts of the schema. */
export const parts: readonly SchemaPart[] = [
  basePart,
  userPart,
  namespacePart,
  groupPart,
  projectPart,
  memberPart,
  labelPart,
  milestonePart,
  issuePart,
  issueMutationPart,
  mergeRequestPart,
  mergeRequestChangePart,
  mergeRequestMutationPart,
  notePart,
  noteMutationPart,
  awardEmojiPart,
  workItemPart,
  workItemListPart,
  workItemTypePart,
  workItemWidgetPart,
  absentWidgetPart,
  workItemMutationPart,
  workItemLinkPart,
  repositoryPart,
  commitMutationPart,
  releasePart,
  pipelinePart,
  todoPart,
]
