import { features, type Operation } from '@forgelet/core/operations'
import type { Route } from './route.ts'

/** Removals of objects without a time of change: with `If-Unmodified-Since`, they reply 400 and remove nothing. */
const undatedRemovals: ReadonlySet<Operation> = new Set<Operation>([
  features.badges.remove,
  features.boardLists.remove,
  features.boards.remove,
  features.branches.removeMerged,
  features.broadcastMessages.remove,
  features.childEpics.remove,
  features.ciVariables.remove,
  features.containerRepositories.remove,
  features.containerTags.remove,
  features.containerTags.removeMatching,
  features.customAttributes.remove,
  features.environments.removeReviewApps,
  features.epicIssues.remove,
  features.instanceFeatures.remove,
  features.invitations.remove,
  features.jobTokenScopes.removeGroup,
  features.jobTokenScopes.removeProject,
  features.packages.remove,
  features.pagesSites.remove,
  features.pipelineJobs.removeArtifacts,
  features.pipelineJobs.removeProjectArtifacts,
  features.protectedBranches.remove,
  features.protectedTags.remove,
  features.pushRules.remove,
  features.releaseLinks.remove,
  features.releases.remove,
  features.repositoryFiles.remove,
  features.scim.remove,
  features.sso.disable,
  features.sso.revokeToken,
  features.sso.unlinkIdentity,
  features.topics.remove,
])

/** Whether a route removes an object only if it was not modified after the time in `If-Unmodified-Since`. */
export const isConditionalRemoval = ({ method, operation }: Route): boolean =>
  method === 'DELETE' && !undatedRemovals.has(operation)
