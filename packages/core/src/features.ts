import { accessRequests } from './features/access-requests/operations.ts'
import { closeAccessRequestOnJoin } from './features/access-requests/reactions.ts'
import { removeBot } from './features/access-tokens/jobs.ts'
import { accessTokens } from './features/access-tokens/operations.ts'
import { accessTokenReactions } from './features/access-tokens/reactions.ts'
import { userActivities } from './features/accounts/activity-operations.ts'
import { identities } from './features/accounts/identity-operations.ts'
import { userMemberships } from './features/accounts/membership-operations.ts'
import { users } from './features/accounts/operations.ts'
import { userStates } from './features/accounts/state-operations.ts'
import { tokens } from './features/accounts/token-operations.ts'
import { appearances } from './features/appearance/operations.ts'
import { approvalRules } from './features/approval-rules/operations.ts'
import { expireArchives } from './features/archives/expiry-job.ts'
import { exportArchive } from './features/archives/export-job.ts'
import { exportOperations } from './features/archives/export-operations.ts'
import { importArchive } from './features/archives/import-job.ts'
import { importOperations } from './features/archives/import-operations.ts'
import { archiveReactions } from './features/archives/reactions.ts'
import { avatars } from './features/avatars/operations.ts'
import { awardEmoji } from './features/awardables/operations.ts'
import { badges } from './features/badges/operations.ts'
import { boardLists } from './features/boards/list-operations.ts'
import { boards } from './features/boards/operations.ts'
import { branches } from './features/branches/operations.ts'
import { broadcastMessages } from './features/broadcast-messages/operations.ts'
import { ciVariables } from './features/ci-variables/operations.ts'
import { commitDiscussions } from './features/commit-comments/discussion-operations.ts'
import { commitComments } from './features/commit-comments/operations.ts'
import { commitStatuses } from './features/commit-statuses/operations.ts'
import { commits } from './features/commits/operations.ts'
import { customAttributes } from './features/custom-attributes/operations.ts'
import { dependencies } from './features/dependencies/operations.ts'
import { deployTokens } from './features/deploy-tokens/operations.ts'
import { discussions } from './features/discussions/operations.ts'
import { draftNotes } from './features/draft-notes/operations.ts'
import { emails } from './features/emails/operations.ts'
import { environmentCleanup } from './features/environments/cleanup-operations.ts'
import { deploymentMergeRequests } from './features/environments/deployment-merge-requests.ts'
import { deployments } from './features/environments/deployment-operations.ts'
import { autoStopEnvironment, linkDeployedMergeRequests } from './features/environments/jobs.ts'
import { environments } from './features/environments/operations.ts'
import { environmentReactions } from './features/environments/reactions.ts'
import { epicIssues } from './features/epic-issues/operations.ts'
import { epics } from './features/epics/operations.ts'
import { errorTracking } from './features/error-tracking/operations.ts'
import { expireEvents } from './features/events/jobs.ts'
import { events } from './features/events/operations.ts'
import { eventReactions } from './features/events/reactions.ts'
import { forks } from './features/forks/operations.ts'
import { gitTransport } from './features/git-transport/operations.ts'
import { globalIds } from './features/global-ids/operations.ts'
import { gpgKeys } from './features/gpg-keys/operations.ts'
import { groupManagement } from './features/group-management/operations.ts'
import { projectGroups } from './features/group-records/groups-of-project.ts'
import { groupRecordOperations } from './features/group-records/operations.ts'
import { groups } from './features/groups/operations.ts'
import { hookDeliveries } from './features/hooks/delivery-operations.ts'
import { deliverToHook, expireDeliveries } from './features/hooks/jobs.ts'
import { hookMemberReactions } from './features/hooks/member-reactions.ts'
import { hooks } from './features/hooks/operations.ts'
import { hookReactions } from './features/hooks/reactions.ts'
import { instanceOperations } from './features/instance/operations.ts'
import { instanceStatistics } from './features/instance/statistics.ts'
import { instanceFeatures } from './features/instance-features/operations.ts'
import { acceptManyInvitations } from './features/invitations/jobs.ts'
import { invitations } from './features/invitations/operations.ts'
import { invitationReactions } from './features/invitations/reactions.ts'
import { issueLinks } from './features/issue-links/operations.ts'
import { issues } from './features/issues/operations.ts'
import { issueStatistics } from './features/issues/statistics.ts'
import { jobTokenScopes } from './features/job-tokens/operations.ts'
import { deployKeys } from './features/keys/deploy-key-operations.ts'
import { keys } from './features/keys/operations.ts'
import { labels } from './features/labels/operations.ts'
import { markdown } from './features/markdown/operations.ts'
import { expireMemberships } from './features/members/jobs.ts'
import { members } from './features/members/operations.ts'
import { addPersonalOwner } from './features/members/reactions.ts'
import { mergeRequestApprovals } from './features/merge-request-approvals/operations.ts'
import { approvalReactions } from './features/merge-request-approvals/reactions.ts'
import { mergeRequestApprovalRules } from './features/merge-request-approvals/rule-operations.ts'
import { mergeRequestIssues } from './features/merge-request-changes/issue-operations.ts'
import { refreshMergeRequestVersion } from './features/merge-request-changes/jobs.ts'
import { mergeRequestList } from './features/merge-request-changes/list-operation.ts'
import { mergeRequestChanges } from './features/merge-request-changes/operations.ts'
import { versionReactions } from './features/merge-request-changes/reactions.ts'
import { closeMergeRequestsOfFork, forkReactions } from './features/merge-requests/fork-jobs.ts'
import { mergeRequests } from './features/merge-requests/operations.ts'
import { mergeAfterPipeline } from './features/merging/auto-merge-job.ts'
import { closeMergedIssues, detectMerged } from './features/merging/jobs.ts'
import { mergeRefOperations } from './features/merging/merge-ref-operations.ts'
import { mergingOperations } from './features/merging/operations.ts'
import { mergeReactions } from './features/merging/reactions.ts'
import { removeSourceBranch } from './features/merging/remove-source-branch.ts'
import { milestones } from './features/milestones/operations.ts'
import { namespaces } from './features/namespaces/operations.ts'
import { notes } from './features/notes/operations.ts'
import { systemNoteReactions } from './features/notes/system-notes.ts'
import { notificationSettings } from './features/notification-settings/operations.ts'
import { applications } from './features/oauth/application-operations.ts'
import { expireOauthRecords } from './features/oauth/jobs.ts'
import { oauthProvider } from './features/oauth/provider-operations.ts'
import { packageFiles } from './features/packages/file-operations.ts'
import { packages } from './features/packages/operations.ts'
import { packageReactions } from './features/packages/reactions.ts'
import { certifyDomain, reviewDomains, verifyDomain } from './features/pages-domains/jobs.ts'
import { pagesDomains } from './features/pages-domains/operations.ts'
import { passwords } from './features/passwords/operations.ts'
import { artifactFiles } from './features/pipeline-jobs/artifact-operations.ts'
import { jobFiles } from './features/pipeline-jobs/file-operations.ts'
import { expireArtifacts, removeProjectArtifacts } from './features/pipeline-jobs/jobs.ts'
import { pipelineJobs } from './features/pipeline-jobs/operations.ts'
import { jobResultOperations } from './features/pipeline-jobs/result-operations.ts'
import { jobTokenOperations } from './features/pipeline-jobs/token-operations.ts'
import { runSchedule } from './features/pipeline-schedules/jobs.ts'
import { pipelineSchedules } from './features/pipeline-schedules/operations.ts'
import { scheduleVariables } from './features/pipeline-schedules/variable-operations.ts'
import { pipelineTriggers } from './features/pipeline-triggers/operations.ts'
import { startDelayedJob } from './features/pipelines/delayed-jobs.ts'
import { completeBridge, startDownstreamPipeline } from './features/pipelines/downstream-jobs.ts'
import { downstreamReactions } from './features/pipelines/downstream-reactions.ts'
import { ciLint } from './features/pipelines/lint-operations.ts'
import { mergeRequestPipelines } from './features/pipelines/merge-request-operations.ts'
import { pipelines } from './features/pipelines/operations.ts'
import { createPipelineOnPush } from './features/pipelines/push-jobs.ts'
import { pushPipelineReactions } from './features/pipelines/push-reactions.ts'
import { pipelineResults } from './features/pipelines/result-operations.ts'
import { projectManagement } from './features/project-management/operations.ts'
import { projects } from './features/projects/operations.ts'
import { markRepositoryNotEmpty } from './features/projects/reactions.ts'
import { projectStars } from './features/projects/star-operations.ts'
import { protectedEnvironments } from './features/protected-environments/operations.ts'
import { protectedBranches } from './features/protected-references/branch-operations.ts'
import { protectedTags } from './features/protected-references/tag-operations.ts'
import { pushRules } from './features/push-rules/operations.ts'
import { copyGroupRule } from './features/push-rules/reactions.ts'
import { runExpirationPolicies } from './features/registry/expiration-jobs.ts'
import { discoverRepositories, removeContainerRepository, removeTags } from './features/registry/jobs.ts'
import { containerRepositories } from './features/registry/operations.ts'
import { containerTags } from './features/registry/tag-operations.ts'
import { releaseEvidences } from './features/releases/evidence-operations.ts'
import { releaseLinks } from './features/releases/link-operations.ts'
import { releases } from './features/releases/operations.ts'
import { pushToMirror } from './features/remote-mirrors/jobs.ts'
import { remoteMirrors } from './features/remote-mirrors/operations.ts'
import { requestMirrorPushes } from './features/remote-mirrors/reactions.ts'
import { removeLargeGroup, removeLargeProject } from './features/removal/jobs.ts'
import { replicaNodes } from './features/replica-nodes/operations.ts'
import { countContributors } from './features/repository/contributor-job.ts'
import {
  deleteRepositoryFiles,
  maintainRepository,
  recoverRepository,
  syncDefaultBranch,
} from './features/repository/jobs.ts'
import { repository } from './features/repository/operations.ts'
import { repositoryReactions } from './features/repository/reactions.ts'
import { repositoryFiles } from './features/repository-files/operations.ts'
import { resourceEvents } from './features/resource-events/operations.ts'
import { resourceEventReactions } from './features/resource-events/reactions.ts'
import { scim } from './features/scim/operations.ts'
import { search } from './features/search/operations.ts'
import { secureFiles } from './features/secure-files/operations.ts'
import { settings } from './features/settings/operations.ts'
import { shares } from './features/shares/operations.ts'
import { snippets } from './features/snippets/operations.ts'
import { sso } from './features/sso/operations.ts'
import { subscriptions } from './features/subscriptions/operations.ts'
import { tags } from './features/tags/operations.ts'
import { templateOperations } from './features/templates/operations.ts'
import { projectTemplates } from './features/templates/project-operations.ts'
import { timeTracking } from './features/time-tracking/operations.ts'
import { todos } from './features/todos/operations.ts'
import { todoReactions } from './features/todos/reactions.ts'
import { topics } from './features/topics/operations.ts'
import { topicReactions } from './features/topics/reactions.ts'
import { groupTransfer } from './features/transfers/group-operations.ts'
import { projectTransfer } from './features/transfers/project-operations.ts'
import { cleanUpFiles, removeFile, removeFiles } from './features/uploads/jobs.ts'
import { uploads } from './features/uploads/operations.ts'
import { uploadReactions } from './features/uploads/reactions.ts'
import { removeLargeUser } from './features/user-removal/jobs.ts'
import { userRemoval } from './features/user-removal/operations.ts'
import { userStatuses } from './features/user-status/operations.ts'
import { wikis } from './features/wikis/operations.ts'
import type { Job } from './kernel/jobs/job.ts'
import type { Reaction } from './kernel/reaction.ts'

/** All operations by feature, in order of dependency: a feature may only use features above it. */
export const features = {
  avatars,
  instance: { ...instanceOperations, ...instanceStatistics },
  settings,
  namespaces,
  users: { ...userRemoval, ...userActivities, ...userMemberships, ...userStates, ...users },
  tokens,
  identities,
  groups: { ...groups, ...groupRecordOperations, ...groupManagement, ...groupTransfer },
  projects: { ...projects, ...projectGroups, ...projectStars, ...projectManagement, ...projectTransfer },
  sso,
  members,
  accessTokens,
  deployTokens,
  scim,
  accessRequests,
  invitations,
  customAttributes,
  shares,
  protectedBranches,
  protectedTags,
  protectedEnvironments,
  pushRules,
  repository,
  approvalRules,
  labels,
  milestones,
  issues,
  issueStatistics,
  issueLinks,
  mergeRequests: {
    ...mergeRequestList,
    ...mergeRequests,
    ...mergeRequestChanges,
    ...mergeRequestIssues,
    ...mergingOperations,
    ...mergeRefOperations,
    ...mergeRequestPipelines,
  },
  subscriptions,
  snippets,
  epics,
  epicIssues,
  resourceEvents,
  notes,
  awardEmoji,
  timeTracking,
  events,
  branches,
  tags,
  commits,
  repositoryFiles,
  search,
  forks,
  gitTransport,
  discussions,
  draftNotes,
  commitComments,
  commitDiscussions,
  globalIds,
  mergeRequestApprovals,
  mergeRequestApprovalRules,
  releases,
  releaseLinks,
  releaseEvidences,
  uploads,
  secureFiles,
  ciVariables,
  ciLint,
  pipelines: { ...pipelines, ...pipelineResults },
  pipelineJobs: { ...pipelineJobs, ...jobFiles, ...artifactFiles, ...jobResultOperations, ...jobTokenOperations },
  jobTokenScopes,
  pipelineTriggers,
  pipelineSchedules: { ...pipelineSchedules, ...scheduleVariables },
  commitStatuses,
  packages,
  packageFiles,
  todos,
  notificationSettings,
  markdown,
  wikis,
  badges,
  topics,
  boards,
  boardLists,
  broadcastMessages,
  instanceFeatures,
  appearances,
  environments: { ...environments, ...environmentCleanup },
  deployments: { ...deployments, ...deploymentMergeRequests },
  errorTracking,
  dependencies,
  pagesDomains,
  remoteMirrors,
  passwords,
  emails,
  userStatuses,
  keys,
  gpgKeys,
  deployKeys,
  replicaNodes,
  containerRepositories,
  containerTags,
  hooks: { ...hooks, ...hookDeliveries },
  applications,
  oauthProvider,
  exports: exportOperations,
  imports: importOperations,
  templates: templateOperations,
  projectTemplates,
}

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
  ...resourceEventReactions,
  ...eventReactions,
  ...todoReactions,
  requestMirrorPushes,
  ...versionReactions,
  ...approvalReactions,
  ...mergeReactions,
  ...forkReactions,
  ...pushPipelineReactions,
  ...downstreamReactions,
  ...uploadReactions,
  ...packageReactions,
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
  removeLargeUser,
  deleteRepositoryFiles,
  syncDefaultBranch,
  recoverRepository,
  maintainRepository,
  countContributors,
  removeFile,
  removeFiles,
  cleanUpFiles,
  expireMemberships,
  acceptManyInvitations,
  removeBot,
  expireEvents,
  verifyDomain,
  certifyDomain,
  reviewDomains,
  pushToMirror,
  refreshMergeRequestVersion,
  detectMerged,
  closeMergedIssues,
  mergeAfterPipeline,
  removeSourceBranch,
  closeMergeRequestsOfFork,
  runSchedule,
  autoStopEnvironment,
  linkDeployedMergeRequests,
  createPipelineOnPush,
  startDownstreamPipeline,
  completeBridge,
  removeProjectArtifacts,
  expireArtifacts,
  startDelayedJob,
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
