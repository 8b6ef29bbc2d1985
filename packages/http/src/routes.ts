import { accessRequestRoutes } from './routes/access-requests.ts'
import { appearanceRoutes } from './routes/appearance.ts'
import { applicationRoutes } from './routes/applications.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { archiveRoutes } from './routes/archives.ts'
import { auditEventRoutes } from './routes/audit-events.ts'
import { avatarRoutes } from './routes/avatars.ts'
import { awardEmojiRoutes } from './routes/award-emoji.ts'
import { badgeRoutes } from './routes/badges.ts'
import { boardRoutes } from './routes/boards.ts'
import { broadcastMessageRoutes } from './routes/broadcast-messages.ts'
import { ciVariableRoutes } from './routes/ci-variables.ts'
import { commitCommentRoutes } from './routes/commit-comments.ts'
import { customAttributeRoutes } from './routes/custom-attributes.ts'
import { dependencyRoutes } from './routes/dependencies.ts'
import { deployKeyRoutes } from './routes/deploy-keys.ts'
import { discussionRoutes } from './routes/discussions.ts'
import { draftNoteRoutes } from './routes/draft-notes.ts'
import { environmentRoutes } from './routes/environments.ts'
import { epicIssueRoutes } from './routes/epic-issues.ts'
import { epicRoutes } from './routes/epics.ts'
import { errorTrackingRoutes } from './routes/error-tracking.ts'
import { eventRoutes } from './routes/events.ts'
import { featureFlagRoutes } from './routes/feature-flags.ts'
import { forkRoutes } from './routes/forks.ts'
import { freezePeriodRoutes } from './routes/freeze-periods.ts'
import { groupRoutes } from './routes/groups.ts'
import { hookRoutes } from './routes/hooks.ts'
import { instanceFeatureRoutes } from './routes/instance-features.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { issuableRoutes } from './routes/issuables.ts'
import { issueLinkRoutes } from './routes/issue-links.ts'
import { issueStatisticsRoutes } from './routes/issue-statistics.ts'
import { issueRoutes } from './routes/issues.ts'
import { jobTokenScopeRoutes } from './routes/job-token-scopes.ts'
import { jobRoutes } from './routes/jobs.ts'
import { keyRoutes } from './routes/keys.ts'
import { labelRoutes } from './routes/labels.ts'
import { markdownRoutes } from './routes/markdown.ts'
import { memberRoutes } from './routes/members.ts'
import { mergeRequestChangeRoutes } from './routes/merge-request-changes.ts'
import { mergeRequestRoutes } from './routes/merge-requests.ts'
import { milestoneRoutes } from './routes/milestones.ts'
import { namespaceRoutes } from './routes/namespaces.ts'
import { noteRoutes } from './routes/notes.ts'
import { notificationSettingRoutes } from './routes/notification-settings.ts'
import { packageRoutes } from './routes/packages.ts'
import { pagesDomainRoutes } from './routes/pages-domains.ts'
import { pagesSiteRoutes } from './routes/pages-sites.ts'
import { pipelineScheduleRoutes } from './routes/pipeline-schedules.ts'
import { pipelineTriggerRoutes } from './routes/pipeline-triggers.ts'
import { pipelineRoutes } from './routes/pipelines.ts'
import { projectRoutes } from './routes/projects.ts'
import { protectedReferenceRoutes } from './routes/protected-references.ts'
import { pushRuleRoutes } from './routes/push-rules.ts'
import { registryRoutes } from './routes/registry.ts'
import { releaseRoutes } from './routes/releases.ts'
import { remoteMirrorRoutes } from './routes/remote-mirrors.ts'
import { replicaNodeRoutes } from './routes/replica-nodes.ts'
import { repositoryRoutes } from './routes/repository.ts'
import { resourceEventRoutes } from './routes/resource-events.ts'
import { runnerJobRoutes } from './routes/runner-jobs.ts'
import { runnerRoutes } from './routes/runners.ts'
import { scimRoutes } from './routes/scim.ts'
import { searchRoutes } from './routes/search.ts'
import { secureFileRoutes } from './routes/secure-files.ts'
import { settingRoutes } from './routes/settings.ts'
import { snippetRoutes } from './routes/snippets.ts'
import { ssoRoutes } from './routes/sso.ts'
import { suggestionRoutes } from './routes/suggestions.ts'
import { templateRoutes } from './routes/templates.ts'
import { todoRoutes } from './routes/todos.ts'
import { accessTokenRoutes, deployTokenRoutes, tokenRoutes } from './routes/tokens.ts'
import { topicRoutes } from './routes/topics.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { userRoutes } from './routes/users.ts'
import { versionRoutes } from './routes/version.ts'
import { wikiRoutes } from './routes/wikis.ts'
import type { Route } from './routing/route.ts'

/** All routes. The router, the OpenAPI document, the reference and the coverage test use this table. */
export const routes: readonly Route[] = [
  ...markdownRoutes,
  ...archiveRoutes,
  ...templateRoutes,
  ...groupRoutes,
  ...labelRoutes,
  ...issueStatisticsRoutes,
  ...memberRoutes,
  ...accessRequestRoutes,
  ...invitationRoutes,
  ...customAttributeRoutes,
  ...noteRoutes,
  ...eventRoutes,
  ...todoRoutes,
  ...notificationSettingRoutes,
  ...repositoryRoutes,
  ...commitCommentRoutes,
  ...snippetRoutes,
  ...scimRoutes,
  ...ssoRoutes,
  ...environmentRoutes,
  ...epicRoutes,
  ...epicIssueRoutes,
  ...searchRoutes,
  ...errorTrackingRoutes,
  ...featureFlagRoutes,
  ...pagesDomainRoutes,
  ...pagesSiteRoutes,
  ...pipelineRoutes,
  ...pipelineTriggerRoutes,
  ...freezePeriodRoutes,
  ...pipelineScheduleRoutes,
  ...jobRoutes,
  ...jobTokenScopeRoutes,
  ...remoteMirrorRoutes,
  ...dependencyRoutes,
  ...keyRoutes,
  ...settingRoutes,
  ...registryRoutes,
  ...replicaNodeRoutes,
  ...versionRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...accessTokenRoutes,
  ...deployTokenRoutes,
  ...projectRoutes,
  ...forkRoutes,
  ...namespaceRoutes,
  ...deployKeyRoutes,
  ...issueRoutes,
  ...issueLinkRoutes,
  ...issuableRoutes,
  ...mergeRequestRoutes,
  ...awardEmojiRoutes,
  ...milestoneRoutes,
  ...mergeRequestChangeRoutes,
  ...approvalRoutes,
  ...discussionRoutes,
  ...draftNoteRoutes,
  ...suggestionRoutes,
  ...resourceEventRoutes,
  ...releaseRoutes,
  ...protectedReferenceRoutes,
  ...pushRuleRoutes,
  ...uploadRoutes,
  ...runnerRoutes,
  ...runnerJobRoutes,
  ...secureFileRoutes,
  ...wikiRoutes,
  ...badgeRoutes,
  ...topicRoutes,
  ...boardRoutes,
  ...auditEventRoutes,
  ...broadcastMessageRoutes,
  ...instanceFeatureRoutes,
  ...appearanceRoutes,
  ...avatarRoutes,
  ...ciVariableRoutes,
  ...packageRoutes,
  ...hookRoutes,
  ...applicationRoutes,
]
