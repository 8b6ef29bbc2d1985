import type { TypeResolvers } from '../resolver.ts'
import { groupResolvers, namespaceResolvers, projectResolvers, repositoryResolvers } from './containers.ts'
import { issueResolvers, mergeRequestResolvers } from './issuables.ts'
import { memberResolvers } from './members.ts'
import { mutationResolvers } from './mutation.ts'
import { queryResolvers } from './query.ts'
import { toWebPath, userResolvers } from './user.ts'

/** Resolvers by type. Other fields are those of the REST object with the same name in another case. */
export const resolvers: Readonly<Record<string, TypeResolvers>> = {
  Query: { calls: queryResolvers },
  Mutation: { calls: mutationResolvers },
  UserCore: userResolvers,
  CurrentUser: userResolvers,
  Project: projectResolvers,
  Repository: repositoryResolvers,
  Namespace: namespaceResolvers,
  Group: groupResolvers,
  GroupMember: memberResolvers,
  ProjectMember: memberResolvers,
  Issue: issueResolvers,
  MergeRequest: mergeRequestResolvers,
  Label: { computed: { title: ({ name }) => name } },
  Milestone: { computed: { webPath: toWebPath } },
}

/** Whether a field calls an operation of the platform. */
export const isCall = (type: string, field: string): boolean => resolvers[type]?.calls?.[field] !== undefined
