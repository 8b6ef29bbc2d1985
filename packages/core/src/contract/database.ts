import type { AccessRequestTables } from '../features/access-requests/tables.ts'
import type { AccountTables } from '../features/accounts/tables.ts'
import type { AppearanceTables } from '../features/appearance/tables.ts'
import type { ApprovalRuleTables } from '../features/approval-rules/tables.ts'
import type { ArchiveTables } from '../features/archives/tables.ts'
import type { AvatarTables } from '../features/avatars/tables.ts'
import type { AwardEmojiTables } from '../features/award-emoji/tables.ts'
import type { BadgeTables } from '../features/badges/tables.ts'
import type { BoardTables } from '../features/boards/tables.ts'
import type { BroadcastMessageTables } from '../features/broadcast-messages/tables.ts'
import type { CiVariableTables } from '../features/ci-variables/tables.ts'
import type { CommitCommentTables } from '../features/commit-comments/tables.ts'
import type { CustomAttributeTables } from '../features/custom-attributes/tables.ts'
import type { DependencyTables } from '../features/dependencies/tables.ts'
import type { DeployTokenTables } from '../features/deploy-tokens/tables.ts'
import type { DiscussionTables } from '../features/discussions/tables.ts'
import type { DraftNoteTables } from '../features/draft-notes/tables.ts'
import type { EnvironmentTables } from '../features/environments/tables.ts'
import type { EpicIssueTables } from '../features/epic-issues/tables.ts'
import type { EpicTables } from '../features/epics/tables.ts'
import type { ErrorTrackingTables } from '../features/error-tracking/tables.ts'
import type { EventTables } from '../features/events/tables.ts'
import type { GpgKeyTables } from '../features/gpg-keys/tables.ts'
import type { HookTables } from '../features/hooks/tables.ts'
import type { InstanceFeatureTables } from '../features/instance-features/tables.ts'
import type { InvitationTables } from '../features/invitations/tables.ts'
import type { IssueLinkTables } from '../features/issue-links/tables.ts'
import type { IssueTables } from '../features/issues/tables.ts'
import type { JobTokenTables } from '../features/job-tokens/tables.ts'
import type { KeyTables } from '../features/keys/tables.ts'
import type { LabelTables } from '../features/labels/tables.ts'
import type { MemberTables } from '../features/members/tables.ts'
import type { MergeRequestApprovalTables } from '../features/merge-request-approvals/tables.ts'
import type { MergeRequestChangeTables } from '../features/merge-request-changes/tables.ts'
import type { MergeRequestTables } from '../features/merge-requests/tables.ts'
import type { MilestoneTables } from '../features/milestones/tables.ts'
import type { NamespaceTables } from '../features/namespaces/tables.ts'
import type { NoteTables } from '../features/notes/tables.ts'
import type { NotificationSettingTables } from '../features/notification-settings/tables.ts'
import type { OauthTables } from '../features/oauth/tables.ts'
import type { PackageTables } from '../features/packages/tables.ts'
import type { PagesDomainTables } from '../features/pages-domains/tables.ts'
import type { PasswordTables } from '../features/passwords/tables.ts'
import type { PipelineJobTables } from '../features/pipeline-jobs/tables.ts'
import type { PipelineTables } from '../features/pipeline-records/tables.ts'
import type { PipelineScheduleTables } from '../features/pipeline-schedules/tables.ts'
import type { PipelineTriggerTables } from '../features/pipeline-triggers/tables.ts'
import type { ProjectTables } from '../features/projects/tables.ts'
import type { ProtectedEnvironmentTables } from '../features/protected-environments/tables.ts'
import type { ProtectedReferenceTables } from '../features/protected-references/tables.ts'
import type { PushRuleTables } from '../features/push-rules/tables.ts'
import type { RegistryTables } from '../features/registry/tables.ts'
import type { ReleaseTables } from '../features/releases/tables.ts'
import type { RemoteMirrorTables } from '../features/remote-mirrors/tables.ts'
import type { ReplicaNodeTables } from '../features/replica-nodes/tables.ts'
import type { RepositoryTables } from '../features/repository/tables.ts'
import type { ResourceEventTables } from '../features/resource-events/tables.ts'
import type { SecureFileTables } from '../features/secure-files/tables.ts'
import type { SettingTables } from '../features/settings/tables.ts'
import type { ShareTables } from '../features/shares/tables.ts'
import type { SnippetTables } from '../features/snippets/tables.ts'
import type { SsoTables } from '../features/sso/tables.ts'
import type { SubscriptionTables } from '../features/subscriptions/tables.ts'
import type { TodoTables } from '../features/todos/tables.ts'
import type { TopicTables } from '../features/topics/tables.ts'
import type { UploadTables } from '../features/uploads/tables.ts'
import type { UserStatusTables } from '../features/user-status/tables.ts'
import type { WikiTables } from '../features/wikis/tables.ts'
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
    PipelineScheduleTables,
    PipelineTriggerTables,
    JobTokenTables,
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
    EnvironmentTables,
    ErrorTrackingTables,
    DependencyTables,
    PagesDomainTables,
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
    ReleaseTables,
    UploadTables,
    BadgeTables,
    TopicTables,
    BoardTables,
    BroadcastMessageTables,
    WikiTables,
    PackageTables,
    SecureFileTables,
    SettingTables,
    JobTables,
    OutboxTables,
    RateLimitTables {
  /** The applied migrations. */
  forgeletMigration: { name: string; appliedAt: string }
}
