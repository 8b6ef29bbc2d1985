import type { AvatarTables } from '../features/accounts/avatars/tables.ts'
import type { GpgKeyTables } from '../features/accounts/gpg-keys/tables.ts'
import type { KeyTables } from '../features/accounts/keys/tables.ts'
import type { NamespaceTables } from '../features/accounts/namespaces/tables.ts'
import type { OauthTables } from '../features/accounts/oauth-provider/tables.ts'
import type { PasswordTables } from '../features/accounts/passwords/tables.ts'
import type { UserStatusTables } from '../features/accounts/user-statuses/tables.ts'
import type { AccountTables } from '../features/accounts/users/tables.ts'
import type { AppearanceTables } from '../features/administration/appearances/tables.ts'
import type { AuditEventTables } from '../features/administration/audit-events/tables.ts'
import type { BroadcastMessageTables } from '../features/administration/broadcast-messages/tables.ts'
import type { InstanceTables } from '../features/administration/instance/tables.ts'
import type { InstanceFeatureTables } from '../features/administration/instance-features/tables.ts'
import type { ReplicaNodeTables } from '../features/administration/replica-nodes/tables.ts'
import type { SettingTables } from '../features/administration/settings/tables.ts'
import type { BadgeTables } from '../features/code/badges/tables.ts'
import type { PipelineTables } from '../features/code/pipeline-records/tables.ts'
import type { ProtectedReferenceTables } from '../features/code/protected-references/tables.ts'
import type { PushRuleTables } from '../features/code/push-rules/tables.ts'
import type { RemoteMirrorTables } from '../features/code/remote-mirrors/tables.ts'
import type { RepositoryTables } from '../features/code/repository/tables.ts'
import type { ApprovalRuleTables } from '../features/collaboration/approval-rules/tables.ts'
import type { AwardEmojiTables } from '../features/collaboration/award-emoji/tables.ts'
import type { CommitCommentTables } from '../features/collaboration/commit-comments/tables.ts'
import type { DiscussionTables } from '../features/collaboration/discussions/tables.ts'
import type { DraftNoteTables } from '../features/collaboration/draft-notes/tables.ts'
import type { EventTables } from '../features/collaboration/events/tables.ts'
import type { MergeRequestApprovalTables } from '../features/collaboration/merge-request-approvals/tables.ts'
import type { MergeRequestChangeTables } from '../features/collaboration/merge-requests/changes/tables.ts'
import type { MergeRequestTables } from '../features/collaboration/merge-requests/tables.ts'
import type { NoteTables } from '../features/collaboration/notes/tables.ts'
import type { NotificationSettingTables } from '../features/collaboration/notification-settings/tables.ts'
import type { NotificationTables } from '../features/collaboration/notifications/tables.ts'
import type { ResourceEventTables } from '../features/collaboration/resource-events/tables.ts'
import type { SnippetTables } from '../features/collaboration/snippets/tables.ts'
import type { SubscriptionTables } from '../features/collaboration/subscriptions/tables.ts'
import type { SuggestionTables } from '../features/collaboration/suggestions/tables.ts'
import type { TodoTables } from '../features/collaboration/todos/tables.ts'
import type { UploadTables } from '../features/collaboration/uploads/tables.ts'
import type { WikiTables } from '../features/collaboration/wikis/tables.ts'
import type { CiVariableTables } from '../features/delivery/ci-variables/tables.ts'
import type { RegistryTables } from '../features/delivery/container-repositories/tables.ts'
import type { DependencyTables } from '../features/delivery/dependencies/tables.ts'
import type { EnvironmentTables } from '../features/delivery/environments/tables.ts'
import type { ErrorTrackingTables } from '../features/delivery/error-tracking/tables.ts'
import type { FeatureFlagTables } from '../features/delivery/feature-flags/tables.ts'
import type { FreezePeriodTables } from '../features/delivery/freeze-periods/tables.ts'
import type { JobTokenTables } from '../features/delivery/job-token-scopes/tables.ts'
import type { PackageTables } from '../features/delivery/packages/tables.ts'
import type { PagesDomainTables } from '../features/delivery/pages-domains/tables.ts'
import type { PagesSiteTables } from '../features/delivery/pages-sites/tables.ts'
import type { PipelineJobTables } from '../features/delivery/pipeline-jobs/tables.ts'
import type { PipelineScheduleTables } from '../features/delivery/pipeline-schedules/tables.ts'
import type { PipelineTriggerTables } from '../features/delivery/pipeline-triggers/tables.ts'
import type { ProtectedEnvironmentTables } from '../features/delivery/protected-environments/tables.ts'
import type { ReleaseTables } from '../features/delivery/releases/tables.ts'
import type { RunnerTables } from '../features/delivery/runners/tables.ts'
import type { SecureFileTables } from '../features/delivery/secure-files/tables.ts'
import type { ArchiveTables } from '../features/integration/archives/tables.ts'
import type { HookTables } from '../features/integration/hooks/tables.ts'
import type { BoardTables } from '../features/planning/boards/tables.ts'
import type { EpicIssueTables } from '../features/planning/epic-issues/tables.ts'
import type { EpicTables } from '../features/planning/epics/tables.ts'
import type { IssueLinkTables } from '../features/planning/issue-links/tables.ts'
import type { IssueTables } from '../features/planning/issues/tables.ts'
import type { LabelTables } from '../features/planning/labels/tables.ts'
import type { MilestoneTables } from '../features/planning/milestones/tables.ts'
import type { AccessRequestTables } from '../features/spaces/access-requests/tables.ts'
import type { CustomAttributeTables } from '../features/spaces/custom-attributes/tables.ts'
import type { DeployTokenTables } from '../features/spaces/deploy-tokens/tables.ts'
import type { InvitationTables } from '../features/spaces/invitations/tables.ts'
import type { MemberTables } from '../features/spaces/members/tables.ts'
import type { ProjectTables } from '../features/spaces/projects/tables.ts'
import type { ShareTables } from '../features/spaces/shares/tables.ts'
import type { SsoTables } from '../features/spaces/sso/tables.ts'
import type { TopicTables } from '../features/spaces/topics/tables.ts'
import type { JobTables } from '../kernel/jobs/table.ts'
import type { OutboxTables } from '../kernel/outbox-table.ts'
import type { RateLimitTables } from '../kernel/rate-limit-table.ts'

/** The tables of all features. Column names in the database are the snake_case form of the property names. */
export interface Database
  extends AccountTables,
    ArchiveTables,
    AvatarTables,
    CiVariableTables,
    UserStatusTables,
    NamespaceTables,
    ProjectTables,
    MemberTables,
    DeployTokenTables,
    AccessRequestTables,
    CommitCommentTables,
    CustomAttributeTables,
    ShareTables,
    SsoTables,
    LabelTables,
    MilestoneTables,
    IssueTables,
    InstanceTables,
    InstanceFeatureTables,
    InvitationTables,
    IssueLinkTables,
    SubscriptionTables,
    MergeRequestTables,
    ProtectedReferenceTables,
    ProtectedEnvironmentTables,
    AppearanceTables,
    ApprovalRuleTables,
    PipelineTables,
    PipelineJobTables,
    FreezePeriodTables,
    PipelineScheduleTables,
    PipelineTriggerTables,
    JobTokenTables,
    AuditEventTables,
    AwardEmojiTables,
    SnippetTables,
    EpicIssueTables,
    EpicTables,
    NoteTables,
    EventTables,
    GpgKeyTables,
    ResourceEventTables,
    TodoTables,
    NotificationSettingTables,
    NotificationTables,
    EnvironmentTables,
    ErrorTrackingTables,
    FeatureFlagTables,
    DependencyTables,
    PagesDomainTables,
    PagesSiteTables,
    RemoteMirrorTables,
    HookTables,
    OauthTables,
    PasswordTables,
    KeyTables,
    ReplicaNodeTables,
    PushRuleTables,
    RegistryTables,
    RepositoryTables,
    MergeRequestChangeTables,
    MergeRequestApprovalTables,
    DiscussionTables,
    DraftNoteTables,
    SuggestionTables,
    ReleaseTables,
    UploadTables,
    BadgeTables,
    TopicTables,
    BoardTables,
    BroadcastMessageTables,
    WikiTables,
    PackageTables,
    RunnerTables,
    SecureFileTables,
    SettingTables,
    JobTables,
    OutboxTables,
    RateLimitTables {
  /** The applied migrations. */
  forgeletMigration: { name: string; appliedAt: string }
}
