import type { SchemaPart } from '../schema-part.ts'

/** Scalars and types without objects of the platform. */
export const basePart: SchemaPart = {
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
