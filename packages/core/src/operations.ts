/** For adapters: the operations as values, and their types. */
import './db/supported-node.ts'

export type { Group } from './contract/namespace.ts'
export type { Project } from './contract/project.ts'
export type { AccessRequest, ApprovedRequest } from './features/access-requests/access-request.ts'
export type { AccessToken, NewAccessToken } from './features/access-tokens/access-token.ts'
export type { UserActivity, UserAssociations } from './features/accounts/activity.ts'
export type { ListedUser } from './features/accounts/filters.ts'
export type { UserIdentity } from './features/accounts/identity-operations.ts'
export type { UserMembership } from './features/accounts/membership-operations.ts'
export type { NewToken, Token } from './features/accounts/token.ts'
export type { User, UserSummary } from './features/accounts/user.ts'
export { type PublicUser, requireDetails, type ShownUser, type UserDetail } from './features/accounts/user-detail.ts'
export type { Appearance } from './features/appearance/appearance.ts'
export type {
  ApprovalConfiguration,
  ApprovalRule,
  MergeRequestApprovalRule,
  ProjectApprovalRule,
  SourceRule,
} from './features/approval-rules/approval-rule.ts'
export type { ArchiveContent, ExportDetails, ImportDetails } from './features/archives/archive.ts'
export { type Avatar, avatarMediaTypes } from './features/avatars/avatar.ts'
export type { Award } from './features/award-emoji/award.ts'
export type { Badge, BadgePreview } from './features/badges/badge.ts'
export type { Board, BoardLabel, BoardList, BoardProject } from './features/boards/board.ts'
export type { BroadcastMessage } from './features/broadcast-messages/broadcast-message.ts'
export type { CiInclude } from './features/ci-config/includes.ts'
export type { CiLintJob, CiLintResult } from './features/ci-config/lint-result.ts'
export type { CiVariable } from './features/ci-variables/variable.ts'
export type { CommitComment } from './features/commit-comments/comment.ts'
export type { CommitDiscussion, CommitNote } from './features/commit-comments/discussion.ts'
export type { CommitStatus } from './features/commit-statuses/commit-status.ts'
export type { CommitDetails, CommitReference, CommitSequence, CommitStats, DryRun } from './features/commits/commit.ts'
export type { CustomAttribute } from './features/custom-attributes/custom-attribute.ts'
export type { Dependency } from './features/dependencies/dependency.ts'
export type { DeployToken, NewDeployToken } from './features/deploy-tokens/deploy-token.ts'
export type {
  Discussion,
  DiscussionNote,
  LineRange,
  LineRangeEnd,
  Position,
} from './features/discussions/discussion.ts'
export type { DraftNote } from './features/draft-notes/draft-note.ts'
export type { EmailAddress } from './features/emails/email.ts'
export type { RemovedReviewApps, StoppedEnvironments } from './features/environments/cleanup-operations.ts'
export type { Deployment, DeploymentJob } from './features/environments/deployment.ts'
export type { DeploymentDetails } from './features/environments/deployment-details.ts'
export type { Environment, EnvironmentDetail } from './features/environments/environment.ts'
export type { EpicIssue, EpicIssueLink } from './features/epic-issues/epic-issue.ts'
export type { Epic } from './features/epics/epic.ts'
export type { ErrorTracking } from './features/error-tracking/error-tracking.ts'
export type { Event, PushEventData } from './features/events/event.ts'
export type {
  DiscussionLocation,
  ItemReference,
  MilestoneLocation,
  NoteLocation,
} from './features/global-ids/reference.ts'
export type { GpgKey } from './features/gpg-keys/gpg-key.ts'
export type { GroupDetails, GroupRecord, GroupStatistics } from './features/group-records/group-record.ts'
export type { HookDelivery, ResendResult } from './features/hooks/delivery.ts'
export type { Hook, HookHeader } from './features/hooks/hook.ts'
export type { Version } from './features/instance/operations.ts'
export type { InstanceStatistics } from './features/instance/statistics.ts'
export type { FeatureDefinition, FeatureGate, InstanceFeature } from './features/instance-features/instance-feature.ts'
export type { Invitation, InvitationResult } from './features/invitations/invitation.ts'
export type { IssueLink, LinkedIssue } from './features/issue-links/issue-link.ts'
export type { IssueCounts } from './features/issues/counts/counts.ts'
export type { Issue, IssueDetails } from './features/issues/issue.ts'
export type {
  AllowedGroup,
  AllowedProject,
  GroupReference,
  JobTokenScope,
} from './features/job-tokens/job-token-scope.ts'
export type { DeployKey, DeployKeyProject, Key, KeyRecord } from './features/keys/key.ts'
export type { Label, LabelCounts, LabelDetails } from './features/labels/label.ts'
export type { AddedMembers, Member } from './features/members/member.ts'
export type {
  Approval,
  ApprovalRuleName,
  ApprovalRuleState,
  ApprovalState,
  MergeRequestApprovals,
} from './features/merge-request-approvals/approvals.ts'
export type {
  MergeRequestVersion,
  MergeRequestVersionDetails,
  MergeRequestWithChanges,
} from './features/merge-request-changes/version.ts'
export type { MergeRequestPage } from './features/merge-requests/list.ts'
export type { DiffRefs, MergeRequest, MergeRequestDetails, Reviewer } from './features/merge-requests/merge-request.ts'
export type { MergeRef } from './features/merging/merge-ref-operations.ts'
export type { Milestone } from './features/milestones/milestone.ts'
export type { NamespaceRecord, PathAvailability } from './features/namespaces/namespace-record.ts'
export type {
  CreatedNote,
  ExecutedQuickActions,
  Note,
  NoteTarget,
  NoteType,
  QuickActionChanges,
} from './features/notes/note.ts'
export {
  type EmailEvents,
  emailEvents,
  type NotificationSetting,
} from './features/notification-settings/notification-setting.ts'
export type { Application, NewApplication } from './features/oauth/application.ts'
export type { PublishResult } from './features/packages/operations.ts'
export type {
  Package,
  PackageFile,
  PackageFileContent,
  PackagePipeline,
  PublishedPackageFile,
} from './features/packages/package.ts'
export type { PagesDomain } from './features/pages-domains/pages-domain.ts'
export type { ArtifactTreeEntry } from './features/pipeline-jobs/artifact-tree.ts'
export type { JobArtifactContent } from './features/pipeline-jobs/artifacts.ts'
export type { JobArtifact, PipelineJobDetails } from './features/pipeline-jobs/job-details.ts'
export type { PipelineJob, PipelineJobRecord } from './features/pipeline-records/job.ts'
export type {
  EnvironmentAction,
  EnvironmentTier,
  JobEnvironmentOptions,
} from './features/pipeline-records/job-environment.ts'
export {
  getSeconds,
  type Pipeline,
  type PipelineRecord,
  type PipelineSource,
  pipelineSources,
} from './features/pipeline-records/pipeline.ts'
export type { PipelineStatus } from './features/pipeline-records/status.ts'
export type { PipelineSchedule, PipelineScheduleDetails } from './features/pipeline-schedules/schedule.ts'
export type { PipelineTrigger } from './features/pipeline-triggers/trigger.ts'
export type { TestReport } from './features/pipelines/test-report.ts'
export type { PipelineVariable } from './features/pipelines/variables.ts'
export type { ProjectPage } from './features/projects/project-list.ts'
export type {
  ForkSource,
  ProjectDetails,
  ProjectNamespace,
  ProjectRecord,
  ProjectWithAccess,
  SharedGroup,
} from './features/projects/project-record.ts'
export { withDefaultSettings as withDefaultProjectSettings } from './features/projects/settings.ts'
export type { StarResult, Starrer } from './features/projects/star.ts'
export type {
  DeployAccessLevel,
  ProtectedEnvironment,
} from './features/protected-environments/protected-environment.ts'
export type {
  ProtectedBranch,
  ProtectedTag,
  ReferenceGrant,
} from './features/protected-references/protected-reference.ts'
export type { PushRule } from './features/push-rules/push-rule.ts'
export type {
  ContainerRepository,
  ContainerTag,
  ContainerTagDetail,
} from './features/registry/container-repository.ts'
export type {
  EvidenceContent,
  LatestReleaseLocation,
  LinkType,
  Release,
  ReleaseEvidence,
  ReleaseLink,
} from './features/releases/release.ts'
export type { RemoteMirror } from './features/remote-mirrors/remote-mirror.ts'
export { replicaCounters } from './features/replica-nodes/counters.ts'
export type { ReplicaNode } from './features/replica-nodes/replica-node.ts'
export { type ReplicaStatus, replicaPercentages } from './features/replica-nodes/status.ts'
export { archiveSuffixes } from './features/repository/archive-name.ts'
export type { ProjectStorage } from './features/repository/maintenance-operations.ts'
export type { PushRecord } from './features/repository/push.ts'
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
} from './features/repository/repository.ts'
export type { BlameSection, RepositoryFile, WrittenFile } from './features/repository-files/file.ts'
export type {
  BurndownEvent,
  EventLabel,
  LabelEvent,
  MilestoneEvent,
  ResourceEvent,
  StateEvent,
  WeightEvent,
} from './features/resource-events/resource-event.ts'
export { normalizeAttributeName } from './features/scim/attribute-name.ts'
export { scimReasons } from './features/scim/scim-error.ts'
export { type ScimList, type ScimSettings, type ScimUser, scimUserSchema } from './features/scim/user.ts'
export { searchScopes } from './features/search/operations.ts'
export type { FoundFile, SearchPage } from './features/search/search-page.ts'
export type { SecureFile, SecureFileContent } from './features/secure-files/secure-file.ts'
export {
  type ApplicationSettings,
  visibleSettingNames,
} from './features/settings/application-settings.ts'
export { settingAliases, settingDefinition, settingNames } from './features/settings/definition.ts'
export type { NewShare, Share } from './features/shares/share.ts'
export type { Snippet, SnippetContent, UserAgentDetail } from './features/snippets/snippet.ts'
export type { SubscribedMergeRequest } from './features/subscriptions/operations.ts'
export type { License, Template, TemplateSummary } from './features/templates/template.ts'
export { type TimeStats, toTimeStats } from './features/time-tracking/time-stats.ts'
export type {
  EpicTarget,
  IssueTarget,
  MergeRequestTarget,
  Todo,
  TodoGroup,
  TodoProject,
} from './features/todos/todo.ts'
export type { Topic } from './features/topics/topic.ts'
export type { Upload, UploadContent } from './features/uploads/upload.ts'
export type { UserStatus } from './features/user-status/status.ts'
export type { WikiAttachment, WikiPage } from './features/wikis/wiki-page.ts'
export { features } from './features.ts'
export { assertChoice, assertOptions, optionNames } from './kernel/assert-arguments.ts'
export { compileMapper, type MappedField, type Mapper } from './kernel/mapper.ts'
export type { Operation } from './kernel/operation.ts'
export { getSufficientScopes, oauthScopes } from './kernel/scopes.ts'
export { platformOptions } from './platform.ts'
export type { ArchiveFormat, Contributor, TreeEntry } from './ports/git.ts'
export { getClientNetwork } from './shared/client-network.ts'
export { getTextColor } from './shared/colors.ts'
export { defined } from './shared/defined.ts'
export { parseInstant } from './shared/instant.ts'
export { findSimilarName, suggestName } from './shared/similar-name.ts'
export { isStorable } from './shared/text.ts'
export { leaveLongTurn } from './shared/time-slice.ts'
export { isUnknownField } from './shared/unknown-field.ts'
