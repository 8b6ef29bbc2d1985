import { applications } from './features/accounts/applications/operations.ts'
import { avatars } from './features/accounts/avatars/operations.ts'
import { mailConfirmation } from './features/accounts/emails/jobs.ts'
import { emails } from './features/accounts/emails/operations.ts'
import { gpgKeys } from './features/accounts/gpg-keys/operations.ts'
import { identities } from './features/accounts/identities/operations.ts'
import { keys } from './features/accounts/keys/operations.ts'
import { namespaces } from './features/accounts/namespaces/operations.ts'
import { expireOauthRecords } from './features/accounts/oauth-provider/jobs.ts'
import { oauthProvider } from './features/accounts/oauth-provider/operations.ts'
import { mailPasswordReset } from './features/accounts/passwords/jobs.ts'
import { passwords } from './features/accounts/passwords/operations.ts'
import { removeLargeGroup, removeLargeProject, removeMarked } from './features/accounts/removal/jobs.ts'
import { terms } from './features/accounts/terms/operations.ts'
import { tokens } from './features/accounts/tokens/operations.ts'
import { userStatuses } from './features/accounts/user-statuses/operations.ts'
import { userActivities } from './features/accounts/users/activity-operations.ts'
import { userFollows } from './features/accounts/users/follow-operations.ts'
import { deactivateDormantUsers, removeLargeUser } from './features/accounts/users/jobs.ts'
import { userMemberships } from './features/accounts/users/membership-operations.ts'
import { users } from './features/accounts/users/operations.ts'
import { userPreferences } from './features/accounts/users/preference-operations.ts'
import { userRemoval } from './features/accounts/users/removal-operations.ts'
import { userStates } from './features/accounts/users/state-operations.ts'
import { appearances } from './features/administration/appearances/operations.ts'
import { auditEvents } from './features/administration/audit-events/operations.ts'
import { broadcastMessages } from './features/administration/broadcast-messages/operations.ts'
import { instanceOperations } from './features/administration/instance/operations.ts'
import { instanceStatistics } from './features/administration/instance/statistics.ts'
import { instanceFeatures } from './features/administration/instance-features/operations.ts'
import { replicaNodes } from './features/administration/replica-nodes/operations.ts'
import { settings } from './features/administration/settings/operations.ts'
import { badges } from './features/code/badges/operations.ts'
import { branches } from './features/code/branches/operations.ts'
import { commits } from './features/code/commits/operations.ts'
import { forks } from './features/code/forks/operations.ts'
import { gitTransport } from './features/code/git-transport/operations.ts'
import { projectTemplates } from './features/code/project-templates/operations.ts'
import { protectedBranches } from './features/code/protected-branches/operations.ts'
import { protectedTags } from './features/code/protected-tags/operations.ts'
import { pullFromMirror } from './features/code/pull-mirrors/jobs.ts'
import { pullMirrors } from './features/code/pull-mirrors/operations.ts'
import { pushRules } from './features/code/push-rules/operations.ts'
import { copyGroupRule } from './features/code/push-rules/reactions.ts'
import { pushToMirror, retryMirror } from './features/code/remote-mirrors/jobs.ts'
import { remoteMirrors } from './features/code/remote-mirrors/operations.ts'
import { requestMirrorPushes } from './features/code/remote-mirrors/reactions.ts'
import { countContributors } from './features/code/repository/contributor-job.ts'
import { importRepository } from './features/code/repository/import-job.ts'
import {
  countProjectLanguages,
  deleteRepositoryFiles,
  maintainRepository,
  recoverRepository,
  syncDefaultBranch,
} from './features/code/repository/jobs.ts'
import { repository } from './features/code/repository/operations.ts'
import { repositoryReactions } from './features/code/repository/reactions.ts'
import { repositoryFiles } from './features/code/repository-files/operations.ts'
import { tags } from './features/code/tags/operations.ts'
import { templateOperations } from './features/code/templates/operations.ts'
import { remindOfExpiry, sendAccountMail } from './features/collaboration/account-mails/jobs.ts'
import { accountMailReactions } from './features/collaboration/account-mails/reactions.ts'
import { approvalRules } from './features/collaboration/approval-rules/operations.ts'
import { awardEmoji } from './features/collaboration/award-emoji/operations.ts'
import { commitComments } from './features/collaboration/commit-comments/operations.ts'
import { insertReferences, readPushedCommits } from './features/collaboration/cross-references/jobs.ts'
import { crossReferenceReactions } from './features/collaboration/cross-references/reactions.ts'
import { tracePositions } from './features/collaboration/discussions/jobs.ts'
import { discussions } from './features/collaboration/discussions/operations.ts'
import { resolveContinued, traceAfterPush } from './features/collaboration/discussions/reactions.ts'
import { draftNotes } from './features/collaboration/draft-notes/operations.ts'
import { publishDraftsLater, publishOnQuickAction } from './features/collaboration/draft-notes/quick-action.ts'
import { expireEvents } from './features/collaboration/events/jobs.ts'
import { events } from './features/collaboration/events/operations.ts'
import { eventReactions } from './features/collaboration/events/reactions.ts'
import { globalIds } from './features/collaboration/global-ids/operations.ts'
import { markdown } from './features/collaboration/markdown/operations.ts'
import { mergeRequestApprovals } from './features/collaboration/merge-request-approvals/operations.ts'
import { approvalReactions } from './features/collaboration/merge-request-approvals/reactions.ts'
import { closingIssueReactions } from './features/collaboration/merge-requests/changes/closing-issues.ts'
import { mergeRequestIssues } from './features/collaboration/merge-requests/changes/issue-operations.ts'
import { refreshMergeRequestVersion } from './features/collaboration/merge-requests/changes/jobs.ts'
import { mergeRequestList } from './features/collaboration/merge-requests/changes/list-operation.ts'
import { mergeRequestChanges } from './features/collaboration/merge-requests/changes/operations.ts'
import { versionReactions } from './features/collaboration/merge-requests/changes/reactions.ts'
import { closeMergeRequestsOfFork, forkReactions } from './features/collaboration/merge-requests/fork-jobs.ts'
import { mergeAfterPipeline } from './features/collaboration/merge-requests/merging/auto-merge-job.ts'
import { closeMergedIssues, detectMerged } from './features/collaboration/merge-requests/merging/jobs.ts'
import { mergeRefOperations } from './features/collaboration/merge-requests/merging/merge-ref-operations.ts'
import { mergingOperations } from './features/collaboration/merge-requests/merging/operations.ts'
import { runMergeQuickAction } from './features/collaboration/merge-requests/merging/quick-action-job.ts'
import { mergeReactions } from './features/collaboration/merge-requests/merging/reactions.ts'
import { removeSourceBranch } from './features/collaboration/merge-requests/merging/remove-source-branch.ts'
import { mergeRequests } from './features/collaboration/merge-requests/operations.ts'
import { notes } from './features/collaboration/notes/operations.ts'
import { systemNoteReactions } from './features/collaboration/notes/system-notes.ts'
import { notificationSettings } from './features/collaboration/notification-settings/operations.ts'
import {
  createNotifications,
  expireNotifications,
  notifyOfDueIssues,
} from './features/collaboration/notifications/jobs.ts'
import { notifications } from './features/collaboration/notifications/operations.ts'
import { notificationReactions } from './features/collaboration/notifications/reactions.ts'
import { sendNotification } from './features/collaboration/notifications/send-job.ts'
import { quickActionReactions } from './features/collaboration/quick-actions/reactions.ts'
import { resourceEvents } from './features/collaboration/resource-events/operations.ts'
import { resourceEventReactions } from './features/collaboration/resource-events/reactions.ts'
import { search } from './features/collaboration/search/operations.ts'
import { snippets } from './features/collaboration/snippets/operations.ts'
import { subscriptions } from './features/collaboration/subscriptions/operations.ts'
import { locateSuggestions } from './features/collaboration/suggestions/jobs.ts'
import { suggestions } from './features/collaboration/suggestions/operations.ts'
import { locateAfterPush } from './features/collaboration/suggestions/reactions.ts'
import { timeTracking } from './features/collaboration/time-tracking/operations.ts'
import { accessRequestTodoReactions } from './features/collaboration/todos/access-request-reactions.ts'
import { mergeRequestTodoReactions } from './features/collaboration/todos/merge-request-reactions.ts'
import { todos } from './features/collaboration/todos/operations.ts'
import { todoReactions } from './features/collaboration/todos/reactions.ts'
import { cleanUpFiles, removeFile, removeFiles } from './features/collaboration/uploads/jobs.ts'
import { uploads } from './features/collaboration/uploads/operations.ts'
import { uploadReactions } from './features/collaboration/uploads/reactions.ts'
import { wikis } from './features/collaboration/wikis/operations.ts'
import { ciLint } from './features/delivery/ci-lint/operations.ts'
import { ciVariables } from './features/delivery/ci-variables/operations.ts'
import { commitStatuses } from './features/delivery/commit-statuses/operations.ts'
import { runExpirationPolicies } from './features/delivery/container-repositories/expiration-jobs.ts'
import {
  discoverRepositories,
  removeContainerRepository,
  removeTags,
} from './features/delivery/container-repositories/jobs.ts'
import { containerRepositories } from './features/delivery/container-repositories/operations.ts'
import { containerTags } from './features/delivery/container-tags/operations.ts'
import { scanDependencies } from './features/delivery/dependencies/jobs.ts'
import { dependencies } from './features/delivery/dependencies/operations.ts'
import { dependencyReactions } from './features/delivery/dependencies/reactions.ts'
import { deploymentApprovals } from './features/delivery/deployments/approval-operations.ts'
import { deploymentMergeRequests } from './features/delivery/deployments/deployment-merge-requests.ts'
import { deployments } from './features/delivery/deployments/operations.ts'
import { environmentCleanup } from './features/delivery/environments/cleanup-operations.ts'
import {
  autoStopEnvironment,
  linkDeployedMergeRequests,
  stopReviewEnvironments,
} from './features/delivery/environments/jobs.ts'
import { environments } from './features/delivery/environments/operations.ts'
import { environmentReactions } from './features/delivery/environments/reactions.ts'
import { errorCollector } from './features/delivery/error-tracking/collector-operations.ts'
import { expireErrors } from './features/delivery/error-tracking/jobs.ts'
import { errorTracking } from './features/delivery/error-tracking/operations.ts'
import { featureFlagUserLists } from './features/delivery/feature-flag-user-lists/operations.ts'
import { featureFlagClients } from './features/delivery/feature-flags/client-operations.ts'
import { featureFlags } from './features/delivery/feature-flags/operations.ts'
import { freezePeriods } from './features/delivery/freeze-periods/operations.ts'
import { jobTokenScopes } from './features/delivery/job-token-scopes/operations.ts'
import { packageFiles } from './features/delivery/package-files/operations.ts'
import { packages } from './features/delivery/packages/operations.ts'
import { packageReactions } from './features/delivery/packages/reactions.ts'
import { certifyDomain, reviewDomains, verifyDomain } from './features/delivery/pages-domains/jobs.ts'
import { pagesDomains } from './features/delivery/pages-domains/operations.ts'
import { publishSite } from './features/delivery/pages-sites/jobs.ts'
import { pagesSites } from './features/delivery/pages-sites/operations.ts'
import { pagesSiteReactions } from './features/delivery/pages-sites/reactions.ts'
import { artifactFiles } from './features/delivery/pipeline-jobs/artifact-operations.ts'
import { jobFiles } from './features/delivery/pipeline-jobs/file-operations.ts'
import { expireArtifacts, removeProjectArtifacts } from './features/delivery/pipeline-jobs/jobs.ts'
import { pipelineJobs } from './features/delivery/pipeline-jobs/operations.ts'
import { jobResultOperations } from './features/delivery/pipeline-jobs/result-operations.ts'
import { jobTokenOperations } from './features/delivery/pipeline-jobs/token-operations.ts'
import { runSchedule } from './features/delivery/pipeline-schedules/jobs.ts'
import { pipelineSchedules } from './features/delivery/pipeline-schedules/operations.ts'
import { scheduleVariables } from './features/delivery/pipeline-schedules/variable-operations.ts'
import { pipelineTriggers } from './features/delivery/pipeline-triggers/operations.ts'
import { startDelayedJob } from './features/delivery/pipelines/delayed-jobs.ts'
import { completeBridge, startDownstreamPipeline } from './features/delivery/pipelines/downstream-jobs.ts'
import { downstreamReactions } from './features/delivery/pipelines/downstream-reactions.ts'
import { expirePipelines } from './features/delivery/pipelines/expiry-jobs.ts'
import { pipelines } from './features/delivery/pipelines/operations.ts'
import { createPipelineOnPush } from './features/delivery/pipelines/push-jobs.ts'
import { pushPipelineReactions } from './features/delivery/pipelines/push-reactions.ts'
import { pipelineResults } from './features/delivery/pipelines/result-operations.ts'
import { protectedEnvironments } from './features/delivery/protected-environments/operations.ts'
import { registryTokens } from './features/delivery/registry-tokens/operations.ts'
import { releaseEvidences } from './features/delivery/release-evidences/operations.ts'
import { releaseLinks } from './features/delivery/release-links/operations.ts'
import { releases } from './features/delivery/releases/operations.ts'
import { runnerJobs } from './features/delivery/runners/job-operations.ts'
import { failSilentJob } from './features/delivery/runners/jobs.ts'
import { runners } from './features/delivery/runners/operations.ts'
import { runnerRegistration } from './features/delivery/runners/registration-operations.ts'
import { secureFiles } from './features/delivery/secure-files/operations.ts'
import { expireArchives } from './features/integration/archives/expiry-job.ts'
import { archiveReactions } from './features/integration/archives/reactions.ts'
import { exportArchive } from './features/integration/exports/export-job.ts'
import { exportOperations } from './features/integration/exports/operations.ts'
import { hookDeliveries } from './features/integration/hooks/delivery-operations.ts'
import { deliverToHook, expireDeliveries } from './features/integration/hooks/jobs.ts'
import { hookMemberReactions } from './features/integration/hooks/member-reactions.ts'
import { hooks } from './features/integration/hooks/operations.ts'
import { hookReactions } from './features/integration/hooks/reactions.ts'
import { hookSecrets } from './features/integration/hooks/secret-operations.ts'
import { importArchive } from './features/integration/imports/import-job.ts'
import { importOperations } from './features/integration/imports/operations.ts'
import { boardLists } from './features/planning/board-lists/operations.ts'
import { boards } from './features/planning/boards/operations.ts'
import { childEpics } from './features/planning/child-epics/operations.ts'
import { epicIssues } from './features/planning/epic-issues/operations.ts'
import { epics } from './features/planning/epics/operations.ts'
import { issueLinks } from './features/planning/issue-links/operations.ts'
import { issueStatistics } from './features/planning/issue-statistics/operations.ts'
import { issues } from './features/planning/issues/operations.ts'
import { labels } from './features/planning/labels/operations.ts'
import { milestones } from './features/planning/milestones/operations.ts'
import { accessRequests } from './features/spaces/access-requests/operations.ts'
import { closeAccessRequestOnJoin } from './features/spaces/access-requests/reactions.ts'
import { removeBot } from './features/spaces/access-tokens/jobs.ts'
import { accessTokens } from './features/spaces/access-tokens/operations.ts'
import { accessTokenReactions } from './features/spaces/access-tokens/reactions.ts'
import { customAttributes } from './features/spaces/custom-attributes/operations.ts'
import { deployKeys } from './features/spaces/deploy-keys/operations.ts'
import { deployTokens } from './features/spaces/deploy-tokens/operations.ts'
import { groupArchiving } from './features/spaces/groups/archive-operations.ts'
import { groupManagement } from './features/spaces/groups/operations.ts'
import { groupRecordOperations } from './features/spaces/groups/read-operations.ts'
import { groups } from './features/spaces/groups/removal-operations.ts'
import { groupTransfer } from './features/spaces/groups/transfer-operations.ts'
import { acceptManyInvitations } from './features/spaces/invitations/jobs.ts'
import { invitations } from './features/spaces/invitations/operations.ts'
import { invitationReactions } from './features/spaces/invitations/reactions.ts'
import { memberImport } from './features/spaces/members/import-operations.ts'
import { expireMemberships } from './features/spaces/members/jobs.ts'
import { members } from './features/spaces/members/operations.ts'
import { addPersonalOwner } from './features/spaces/members/reactions.ts'
import { projectManagement } from './features/spaces/projects/creation-operations.ts'
import { projectGroups } from './features/spaces/projects/group-operations.ts'
import { projects } from './features/spaces/projects/operations.ts'
import { markRepositoryNotEmpty } from './features/spaces/projects/reactions.ts'
import { projectStars } from './features/spaces/projects/star-operations.ts'
import { projectTransfer } from './features/spaces/projects/transfer-operations.ts'
import { scim } from './features/spaces/scim/operations.ts'
import { shares } from './features/spaces/shares/operations.ts'
import { sso } from './features/spaces/sso/operations.ts'
import { topics } from './features/spaces/topics/operations.ts'
import { topicReactions } from './features/spaces/topics/reactions.ts'
import type { Job } from './kernel/jobs/job.ts'
import type { Reaction } from './kernel/reaction.ts'

/** All operations by family, in the groups of the folders. A group may only use those above it in this table. */
export const features = {
  // Administration
  instance: { ...instanceOperations, ...instanceStatistics },
  settings,
  auditEvents,
  broadcastMessages,
  instanceFeatures,
  appearances,
  replicaNodes,

  // Accounts
  avatars,
  namespaces,
  users: {
    ...userRemoval,
    ...userActivities,
    ...userFollows,
    ...userMemberships,
    ...userPreferences,
    ...userStates,
    ...users,
  },
  tokens,
  identities,
  passwords,
  emails,
  userStatuses,
  terms,
  keys,
  gpgKeys,
  applications,
  oauthProvider,

  // Spaces
  groups: { ...groups, ...groupRecordOperations, ...groupManagement, ...groupArchiving, ...groupTransfer },
  projects: { ...projects, ...projectGroups, ...projectStars, ...projectManagement, ...projectTransfer },
  sso,
  members: { ...members, ...memberImport },
  accessTokens,
  deployTokens,
  scim,
  accessRequests,
  invitations,
  customAttributes,
  shares,
  topics,
  deployKeys,

  // Code
  protectedBranches,
  protectedTags,
  pushRules,
  repository,
  branches,
  tags,
  commits,
  repositoryFiles,
  forks,
  gitTransport,
  badges,
  pullMirrors,
  remoteMirrors,
  templates: templateOperations,
  projectTemplates,

  // Planning
  labels,
  milestones,
  issues,
  issueStatistics,
  issueLinks,
  epics,
  childEpics,
  epicIssues,
  boards,
  boardLists,

  // Collaboration
  approvalRules,
  mergeRequests: {
    ...mergeRequestList,
    ...mergeRequests,
    ...mergeRequestChanges,
    ...mergeRequestIssues,
    ...mergingOperations,
    ...mergeRefOperations,
  },
  subscriptions,
  snippets,
  resourceEvents,
  notes,
  awardEmoji,
  timeTracking,
  events,
  search,
  discussions,
  draftNotes,
  suggestions,
  commitComments,
  globalIds,
  mergeRequestApprovals,
  uploads,
  todos,
  notificationSettings,
  notifications,
  markdown,
  wikis,

  // Delivery
  protectedEnvironments,
  releases,
  releaseLinks,
  releaseEvidences,
  secureFiles,
  ciVariables,
  ciLint,
  freezePeriods,
  pipelines: { ...pipelines, ...pipelineResults },
  pipelineJobs: { ...pipelineJobs, ...jobFiles, ...artifactFiles, ...jobResultOperations, ...jobTokenOperations },
  jobTokenScopes,
  pipelineTriggers,
  pipelineSchedules: { ...pipelineSchedules, ...scheduleVariables },
  runners: { ...runners, ...runnerRegistration, ...runnerJobs },
  commitStatuses,
  packages,
  packageFiles,
  environments: { ...environments, ...environmentCleanup },
  deployments: { ...deployments, ...deploymentApprovals, ...deploymentMergeRequests },
  errorTracking: { ...errorTracking, ...errorCollector },
  featureFlagUserLists,
  featureFlags: { ...featureFlags, ...featureFlagClients },
  dependencies,
  pagesDomains,
  pagesSites,
  containerRepositories,
  containerTags,
  registryTokens,

  // Integration
  hooks: { ...hooks, ...hookSecrets, ...hookDeliveries },
  exports: exportOperations,
  imports: importOperations,
}

/** The last check before an operation runs. */
export { assertExternallyAuthorized } from './features/spaces/projects/external-authorization.ts'

/** Reactions to signals, in the order in which they run. */
export const reactions: readonly Reaction[] = [
  markRepositoryNotEmpty,
  ...repositoryReactions,
  addPersonalOwner,
  copyGroupRule,
  closeAccessRequestOnJoin,
  ...invitationReactions,
  ...accessTokenReactions,
  ...systemNoteReactions,
  ...quickActionReactions,
  publishOnQuickAction,
  ...resourceEventReactions,
  ...eventReactions,
  resolveContinued,
  traceAfterPush,
  ...todoReactions,
  ...accountMailReactions,
  ...mergeRequestTodoReactions,
  ...accessRequestTodoReactions,
  ...notificationReactions,
  requestMirrorPushes,
  ...versionReactions,
  locateAfterPush,
  ...crossReferenceReactions,
  ...closingIssueReactions,
  ...approvalReactions,
  ...mergeReactions,
  ...forkReactions,
  ...pushPipelineReactions,
  ...dependencyReactions,
  ...downstreamReactions,
  ...uploadReactions,
  ...packageReactions,
  ...pagesSiteReactions,
  ...archiveReactions,
  ...environmentReactions,
  ...topicReactions,
  ...hookReactions,
  ...hookMemberReactions,
]

/** The kinds of jobs, which run after a commit or once a day. */
export const jobs: readonly Job[] = [
  removeLargeProject,
  removeLargeGroup,
  removeMarked,
  removeLargeUser,
  deactivateDormantUsers,
  deleteRepositoryFiles,
  syncDefaultBranch,
  recoverRepository,
  maintainRepository,
  countContributors,
  countProjectLanguages,
  removeFile,
  removeFiles,
  cleanUpFiles,
  expireMemberships,
  acceptManyInvitations,
  removeBot,
  expireEvents,
  mailConfirmation,
  sendAccountMail,
  remindOfExpiry,
  mailPasswordReset,
  createNotifications,
  sendNotification,
  notifyOfDueIssues,
  expireNotifications,
  publishSite,
  verifyDomain,
  certifyDomain,
  reviewDomains,
  importRepository,
  pullFromMirror,
  pushToMirror,
  retryMirror,
  refreshMergeRequestVersion,
  locateSuggestions,
  tracePositions,
  insertReferences,
  readPushedCommits,
  detectMerged,
  closeMergedIssues,
  mergeAfterPipeline,
  runMergeQuickAction,
  publishDraftsLater,
  removeSourceBranch,
  closeMergeRequestsOfFork,
  runSchedule,
  autoStopEnvironment,
  stopReviewEnvironments,
  linkDeployedMergeRequests,
  createPipelineOnPush,
  scanDependencies,
  expireErrors,
  startDownstreamPipeline,
  completeBridge,
  removeProjectArtifacts,
  expireArtifacts,
  expirePipelines,
  startDelayedJob,
  failSilentJob,
  removeTags,
  removeContainerRepository,
  discoverRepositories,
  runExpirationPolicies,
  deliverToHook,
  expireDeliveries,
  expireOauthRecords,
  exportArchive,
  importArchive,
  expireArchives,
]
