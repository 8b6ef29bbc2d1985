import { archiveCalls, unsupportedArchiveRoutes } from './archives.ts'
import { auditEventCalls } from './audit-events.ts'
import { awardEmojiCalls, unsupportedAwardEmojiRoutes } from './award-emoji.ts'
import { ciVariableCalls, unsupportedCiVariableRoutes } from './ci-variables.ts'
import type { ClientCalls, UnsupportedRoutes } from './client-world.ts'
import { discussionCalls, unsupportedDiscussionRoutes } from './discussions.ts'
import { featureFlagCalls, unsupportedFeatureFlagRoutes } from './feature-flags.ts'
import { groupCalls, unsupportedGroupRoutes } from './groups.ts'
import { hookCalls, unsupportedHookRoutes } from './hooks.ts'
import { issueCalls, unsupportedIssueRoutes } from './issues.ts'
import { jobTokenCalls } from './job-tokens.ts'
import { mergeRequestCalls, unsupportedMergeRequestRoutes } from './merge-requests.ts'
import { pipelineTriggerCalls, unsupportedPipelineTriggerRoutes } from './pipeline-triggers.ts'
import { pipelineCalls, unsupportedPipelineRoutes } from './pipelines.ts'
import { planningCalls, unsupportedPlanningRoutes } from './planning.ts'
import { projectCalls, unsupportedProjectRoutes } from './projects.ts'
import { repositoryCalls, unsupportedProtocolRoutes, unsupportedRepositoryRoutes } from './repository.ts'
import { reviewCalls, unsupportedReviewRoutes } from './review.ts'
import { runnerCalls, unsupportedRunnerRoutes } from './runners.ts'
import { setUpCalls, unsupportedSetUpRoutes } from './set-up.ts'
import { tokenCalls } from './tokens.ts'
import { unsupportedUserRoutes, userCalls } from './users.ts'

/** The call of @gitbeaker/rest for each extension route that it supports, by family. */
export const extensionCalls: Readonly<Record<string, ClientCalls>> = {
  projects: projectCalls,
  groups: groupCalls,
  users: userCalls,
  repository: repositoryCalls,
  hooks: hookCalls,
  tokens: tokenCalls,
  'ci variables': ciVariableCalls,
  issues: issueCalls,
  'merge requests': mergeRequestCalls,
  review: reviewCalls,
  pipelines: pipelineCalls,
  'pipeline triggers': pipelineTriggerCalls,
  'feature flags': featureFlagCalls,
  'job tokens': jobTokenCalls,
  runners: runnerCalls,
  planning: planningCalls,
  discussions: discussionCalls,
  'award emoji': awardEmojiCalls,
  'set-up': setUpCalls,
  archives: archiveCalls,
  'audit events': auditEventCalls,
}

/** The extension routes that @gitbeaker/rest cannot call, with the reasons. */
export const unsupportedExtensions: UnsupportedRoutes = {
  ...unsupportedProjectRoutes,
  ...unsupportedGroupRoutes,
  ...unsupportedUserRoutes,
  ...unsupportedRepositoryRoutes,
  ...unsupportedProtocolRoutes,
  ...unsupportedCiVariableRoutes,
  ...unsupportedPipelineRoutes,
  ...unsupportedPipelineTriggerRoutes,
  ...unsupportedFeatureFlagRoutes,
  ...unsupportedHookRoutes,
  ...unsupportedRunnerRoutes,
  ...unsupportedIssueRoutes,
  ...unsupportedMergeRequestRoutes,
  ...unsupportedReviewRoutes,
  ...unsupportedPlanningRoutes,
  ...unsupportedDiscussionRoutes,
  ...unsupportedAwardEmojiRoutes,
  ...unsupportedSetUpRoutes,
  ...unsupportedArchiveRoutes,
}
