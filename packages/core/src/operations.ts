/** For adapters: the operations as values, and their types. */
import './db/supported-node.ts'

export { formatLevel } from './access/levels.ts'
export type { Group } from './contract/namespace.ts'
export type { Project } from './contract/project.ts'
export type {
  Application,
  AuthorizedApplication,
  NewApplication,
} from './features/accounts/applications/application.ts'
export type { EmailAddress } from './features/accounts/emails/email.ts'
export type { GpgKey } from './features/accounts/gpg-keys/gpg-key.ts'
export type { UserIdentity } from './features/accounts/identities/link.ts'
export type { DeployKeyProject, Key, KeyOwner, KeyRecord } from './features/accounts/keys/key.ts'
export type { BranchProtection } from './features/accounts/namespaces/branch-protection.ts'
export type { Place } from './features/accounts/namespaces/earlier-paths.ts'
export type { NamespaceRecord, PathAvailability } from './features/accounts/namespaces/namespace-record.ts'
export type { GroupClaims } from './features/accounts/oauth-provider/group-claims.ts'
export type { PageSettings } from './features/accounts/passwords/operations.ts'
export type { Terms } from './features/accounts/terms/operations.ts'
export type { NewToken, Token } from './features/accounts/tokens/token.ts'
export type { UserStatus } from './features/accounts/user-statuses/status.ts'
export type { UserActivity, UserAssociations } from './features/accounts/users/activity.ts'
export type { ListedUser } from './features/accounts/users/filters.ts'
export type { FollowChange } from './features/accounts/users/follow-operations.ts'
export type { UserMembership } from './features/accounts/users/membership-operations.ts'
export type { UserPreferences } from './features/accounts/users/preference-operations.ts'
export type { User, UserSummary } from './features/accounts/users/user.ts'
export {
  hasDetails,
  type PublicUser,
  requireDetails,
  type ShownUser,
  type UserDetail,
  type UserProfile,
} from './features/accounts/users/user-detail.ts'
export type { Appearance } from './features/administration/appearances/appearance.ts'
export type { AuditDetails, AuditEvent } from './features/administration/audit-events/audit-event.ts'
export type { BroadcastMessage } from './features/administration/broadcast-messages/broadcast-message.ts'
export type { InstanceLicense, Version } from './features/administration/instance/operations.ts'
export type { InstanceStatistics } from './features/administration/instance/statistics.ts'
export type {
  FeatureDefinition,
  FeatureGate,
  InstanceFeature,
} from './features/administration/instance-features/instance-feature.ts'
export { replicaCounters } from './features/administration/replica-nodes/counters.ts'
export type { ReplicaNode } from './features/administration/replica-nodes/replica-node.ts'
export { type ReplicaStatus, replicaPercentages } from './features/administration/replica-nodes/status.ts'
export {
  type ApplicationSettings,
  visibleSettingNames,
} from './features/administration/settings/application-settings.ts'
export { settingAliases, settingDefinition, settingNames } from './features/administration/settings/definition.ts'
export type { Badge, BadgePreview } from './features/code/badges/badge.ts'
export type { OwnedPattern } from './features/code/code-owners/code-owners-file.ts'
export type {
  CommitDetails,
  CommitReference,
  CommitSequence,
  CommitStats,
  DryRun,
} from './features/code/commits/commit.ts'
export type { PipelineJob, PipelineJobRecord } from './features/code/pipeline-records/job.ts'
export type {
  EnvironmentAction,
  EnvironmentTier,
  JobEnvironmentOptions,
} from './features/code/pipeline-records/job-environment.ts'
export {
  getSeconds,
  type Pipeline,
  type PipelineRecord,
  type PipelineSource,
  pipelineSources,
} from './features/code/pipeline-records/pipeline.ts'
export type { PipelineStatus } from './features/code/pipeline-records/status.ts'
export type {
  ProtectedBranch,
  ProtectedTag,
  ReferenceGrant,
} from './features/code/protected-references/protected-reference.ts'
export type { PushRule } from './features/code/push-rules/push-rule.ts'
export type { RemoteMirror } from './features/code/remote-mirrors/remote-mirror.ts'
export { archiveSuffixes } from './features/code/repository/archive-name.ts'
export type { DailyFetches, FetchStatistics } from './features/code/repository/fetch-statistics.ts'
export type { RepositoryLanguage } from './features/code/repository/languages/language.ts'
export type { ProjectStorage } from './features/code/repository/maintenance-operations.ts'
export type { PushRecord } from './features/code/repository/push.ts'
export type {
  Branch,
  ContributorCoverage,
  RawBlob,
  RepositoryArchive,
  RepositoryBlob,
  RepositoryCommit,
  RepositoryComparison,
  RepositoryDiff,
  RepositoryLocation,
  RepositoryState,
  Tag,
  TagRelease,
} from './features/code/repository/repository.ts'
export type {
  GpgSignature,
  ObjectVerification,
  SshKeySignature,
  VerificationStatus,
  X509Signature,
} from './features/code/repository/signatures/signature.ts'
export type { BlameSection, RepositoryFile, WrittenFile } from './features/code/repository-files/file.ts'
export type { License, Template, TemplateSummary } from './features/code/templates/template.ts'
export type {
  ApprovalConfiguration,
  ApprovalRule,
  MergeRequestApprovalRule,
  ProjectApprovalRule,
  SourceRule,
} from './features/collaboration/approval-rules/approval-rule.ts'
export type { Award } from './features/collaboration/award-emoji/award.ts'
export type { CommitComment } from './features/collaboration/commit-comments/comment.ts'
export type { CommitDiscussion, CommitNote } from './features/collaboration/commit-comments/discussion.ts'
export type {
  CreatedDiscussion,
  Discussion,
  DiscussionNote,
  LineRange,
  LineRangeEnd,
  Position,
} from './features/collaboration/discussions/discussion.ts'
export type { DraftNote } from './features/collaboration/draft-notes/draft-note.ts'
export type { Event, PushEventData } from './features/collaboration/events/event.ts'
export type {
  DiscussionLocation,
  ItemReference,
  MilestoneLocation,
  NoteLocation,
} from './features/collaboration/global-ids/reference.ts'
export type {
  Approval,
  ApprovalRuleName,
  ApprovalRuleState,
  ApprovalState,
  MergeRequestApprovals,
} from './features/collaboration/merge-request-approvals/approvals.ts'
export type {
  MergeRequestVersion,
  MergeRequestVersionDetails,
  MergeRequestWithChanges,
} from './features/collaboration/merge-requests/changes/version.ts'
export type { MergeRequestPage } from './features/collaboration/merge-requests/list.ts'
export type {
  DiffRefs,
  MergeRequest,
  MergeRequestDetails,
  Rebase,
  Reviewer,
} from './features/collaboration/merge-requests/merge-request.ts'
export type { MergeRef } from './features/collaboration/merge-requests/merging/merge-ref-operations.ts'
export type {
  CreatedNote,
  ExecutedQuickActions,
  Note,
  NoteTarget,
  NoteType,
  QuickActionChanges,
} from './features/collaboration/notes/note.ts'
export {
  type EmailEvents,
  emailEvents,
  type NotificationSetting,
  notificationLevels,
} from './features/collaboration/notification-settings/notification-setting.ts'
export type { CreatedNotification, Notification } from './features/collaboration/notifications/notification.ts'
export type {
  BurndownEvent,
  EventLabel,
  LabelEvent,
  MilestoneEvent,
  ResourceEvent,
  StateEvent,
  WeightEvent,
} from './features/collaboration/resource-events/resource-event.ts'
export { searchScopes } from './features/collaboration/search/operations.ts'
export type { FoundFile, SearchPage } from './features/collaboration/search/search-page.ts'
export type { Snippet, SnippetContent, UserAgentDetail } from './features/collaboration/snippets/snippet.ts'
export type { Suggestion } from './features/collaboration/suggestions/suggestion.ts'
export { type TimeStats, toTimeStats } from './features/collaboration/time-tracking/time-stats.ts'
export type {
  MergeRequestTarget,
  Todo,
  TodoCounts,
  TodoProject,
} from './features/collaboration/todos/todo.ts'
export type { Upload, UploadContent } from './features/collaboration/uploads/upload.ts'
export type { FrontMatter } from './features/collaboration/wikis/front-matter.ts'
export type { WikiAttachment, WikiPage } from './features/collaboration/wikis/wiki-page.ts'
export type { CiInclude } from './features/delivery/ci-config/includes.ts'
export type { CiLintJob, CiLintResult } from './features/delivery/ci-config/lint-result.ts'
export type { CiVariable } from './features/delivery/ci-variables/variable.ts'
export type { CommitStatus } from './features/delivery/commit-statuses/commit-status.ts'
export type {
  ContainerRepository,
  ContainerTag,
  ContainerTagDetail,
} from './features/delivery/container-repositories/container-repository.ts'
export type { Dependency, DependencyFile, DependencyLicense } from './features/delivery/dependencies/dependency.ts'
export type { Deployment, DeploymentJob } from './features/delivery/deployments/deployment.ts'
export type {
  DeploymentApproval,
  DeploymentApprovalRuleState,
  DeploymentApprovalSummary,
  DeploymentWithApprovals,
} from './features/delivery/deployments/deployment-approval.ts'
export type { DeploymentDetails } from './features/delivery/deployments/deployment-details.ts'
export type { RemovedReviewApps, StoppedEnvironments } from './features/delivery/environments/cleanup-operations.ts'
export type { Environment, EnvironmentDetail } from './features/delivery/environments/environment.ts'
export type { ErrorTracking } from './features/delivery/error-tracking/error-tracking.ts'
export type {
  ErrorEvent,
  ErrorTrackingClientKey,
  StackFrame,
  TrackedError,
} from './features/delivery/error-tracking/tracked-error.ts'
export type { FeatureFlagUserList } from './features/delivery/feature-flag-user-lists/user-list.ts'
export type {
  ClientFeature,
  ClientFeatures,
  ClientStrategy,
  FeatureFlag,
  FeatureFlagScope,
  FeatureFlagStrategy,
  FeatureFlagsClient,
  StrategyUserList,
} from './features/delivery/feature-flags/feature-flag.ts'
export type { FreezePeriod } from './features/delivery/freeze-periods/freeze-period.ts'
export type {
  AllowedGroup,
  AllowedProject,
  GroupReference,
  JobTokenScope,
} from './features/delivery/job-token-scopes/job-token-scope.ts'
export type { PublishResult } from './features/delivery/packages/operations.ts'
export type {
  Package,
  PackageDetails,
  PackageFile,
  PackageFileContent,
  PackagePipeline,
  PackageVersion,
  PublishedPackageFile,
} from './features/delivery/packages/package.ts'
export type { PagesDomain } from './features/delivery/pages-domains/pages-domain.ts'
export type { PagesDeployment, PagesReply, PagesSite } from './features/delivery/pages-sites/pages-site.ts'
export type { ArtifactTreeEntry } from './features/delivery/pipeline-jobs/artifact-tree.ts'
export type { JobArtifactContent } from './features/delivery/pipeline-jobs/artifacts.ts'
export type { JobArtifact, PipelineJobDetails } from './features/delivery/pipeline-jobs/job-details.ts'
export type { PipelineSchedule, PipelineScheduleDetails } from './features/delivery/pipeline-schedules/schedule.ts'
export type { ScheduleInput } from './features/delivery/pipeline-schedules/schedule-input.ts'
export type { PipelineTrigger } from './features/delivery/pipeline-triggers/trigger.ts'
export type { TestReport } from './features/delivery/pipelines/test-report.ts'
export type { PipelineVariable } from './features/delivery/pipelines/variables.ts'
export type {
  DeployAccessLevel,
  DeploymentApprovalRule,
  ProtectedEnvironment,
} from './features/delivery/protected-environments/protected-environment.ts'
export type {
  EvidenceContent,
  LatestReleaseLocation,
  LinkType,
  Release,
  ReleaseEvidence,
  ReleaseLink,
  ReleaseMilestone,
} from './features/delivery/releases/release.ts'
export type { JobInProject } from './features/delivery/runners/job-list.ts'
export type { NewRunner, Runner, RunnerDetails, RunnerGroup } from './features/delivery/runners/runner.ts'
export type {
  RunnerDependency,
  RunnerImage,
  RunnerJob,
  RunnerJobProject,
  RunnerStep,
  RunnerVariable,
} from './features/delivery/runners/runner-job.ts'
export type { SecureFile, SecureFileContent } from './features/delivery/secure-files/secure-file.ts'
export type { ArchiveContent, ExportDetails, ImportDetails } from './features/integration/archives/archive.ts'
export type { HookDelivery, ResendResult, TestResult } from './features/integration/hooks/delivery.ts'
export type { Hook, HookHeader, HookUrlVariable } from './features/integration/hooks/hook.ts'
export type { Board, BoardLabel, BoardList } from './features/planning/boards/board.ts'
export type { EpicIssue, EpicIssueLink } from './features/planning/epic-issues/epic-issue.ts'
export type { Epic, EpicDetails, EpicParent } from './features/planning/epics/epic.ts'
export type { IssueLink, LinkedIssue } from './features/planning/issue-links/issue-link.ts'
export type { IssueCounts } from './features/planning/issues/counts/counts.ts'
export type { Issue, IssueDetails, IssueEpic } from './features/planning/issues/issue.ts'
export type { Label, LabelCounts, LabelDetails } from './features/planning/labels/label.ts'
export type { Milestone } from './features/planning/milestones/milestone.ts'
export type { AccessRequest, ApprovedRequest } from './features/spaces/access-requests/access-request.ts'
export type { AccessToken, NewAccessToken } from './features/spaces/access-tokens/access-token.ts'
export type { CustomAttribute } from './features/spaces/custom-attributes/custom-attribute.ts'
export type { DeployKey, DeployKeyProjectIdentity } from './features/spaces/deploy-keys/deploy-key.ts'
export type { DeployToken, NewDeployToken } from './features/spaces/deploy-tokens/deploy-token.ts'
export type {
  GroupDetails,
  GroupRecord,
  GroupStatistics,
  RootStorageStatistics,
} from './features/spaces/groups/group-record.ts'
export type { Invitation, InvitationResult } from './features/spaces/invitations/invitation.ts'
export type { AddedMembers, Member } from './features/spaces/members/member.ts'
export type { ProjectPage } from './features/spaces/projects/project-list.ts'
export type {
  ProjectDetails,
  ProjectNamespace,
  ProjectRecord,
  ProjectStatistics,
  ProjectWithAccess,
  SharedGroup,
} from './features/spaces/projects/project-record.ts'
export type { PullMirror } from './features/spaces/projects/pull-mirror-record.ts'
export type { ProjectLicense } from './features/spaces/projects/settings.ts'
export { withDefaultSettings as withDefaultProjectSettings } from './features/spaces/projects/settings.ts'
export type { StarResult, Starrer } from './features/spaces/projects/star.ts'
export { normalizeAttributeName } from './features/spaces/scim/attribute-name.ts'
export { scimReasons } from './features/spaces/scim/scim-error.ts'
export { type ScimList, type ScimSettings, type ScimUser, scimUserSchema } from './features/spaces/scim/user.ts'
export type { NewShare, Share } from './features/spaces/shares/share.ts'
export type { CreatedScimToken, ScimIdentity, ScimToken, SsoProvider } from './features/spaces/sso/identity.ts'
export type { Topic } from './features/spaces/topics/topic.ts'
export { features } from './features.ts'
export { assertChoice, assertOptions, optionNames } from './kernel/assert-arguments.ts'
export { compileMapper, type MappedField, type Mapper } from './kernel/mapper.ts'
export type { Operation } from './kernel/operation.ts'
export { type Picture, pictureMediaTypes } from './kernel/picture.ts'
export { getSufficientScopes, oauthScopes, scopes } from './kernel/scopes.ts'
export { platformOptions } from './platform.ts'
export type { ArchiveFormat, Contributor, TreeEntry } from './ports/git.ts'
export { getClientNetwork } from './shared/client-network.ts'
export { getTextColor } from './shared/colors.ts'
export { defined } from './shared/defined.ts'
export { getErrorCode } from './shared/error-code.ts'
export { parseInstant } from './shared/instant.ts'
export { findSimilarName, suggestName } from './shared/similar-name.ts'
export { formatSshUrl } from './shared/ssh-url.ts'
export { isStorable } from './shared/text.ts'
export { leaveLongTurn } from './shared/time-slice.ts'
export { isUnknownField } from './shared/unknown-field.ts'
export { formatWorkDuration } from './shared/work-duration.ts'
