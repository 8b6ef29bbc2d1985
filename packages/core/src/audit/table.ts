import { findGroup } from '../access/namespaces.ts'
import { findProject } from '../access/projects.ts'
import type { features } from '../features.ts'
import { passwordReset, passwordResetRequested, settingsUpdated, userUpdated } from './accounts.ts'
import { changed, groupEvents, projectEvents, pushRuleEvents } from './changes.ts'
import { announced, created, existing, named, ofAccount, ofSubject, referenced, together } from './entries.ts'
import {
  type AuditEntry,
  auditEvent,
  entityOf,
  entityTarget,
  groupEntity,
  projectEntity,
  toTarget,
  userEntity,
} from './entry.ts'
import { memberJoined, memberRemoved, membersAdded, memberUpdated } from './members.ts'
import { deploymentDecided, groupRemoved, pipelineRemoved, projectRemoved } from './places.ts'
import { readGroup, readGroupPath, readProject, readProjectPath, readPushRule } from './reads.ts'
import { ofRunner, runnerCreated } from './runners.ts'
import { tokenRevoked, tokenRotated } from './tokens.ts'

type Table = typeof features

/** Names of operations, such as `members.add`. */
type OperationName = {
  readonly [F in keyof Table & string]: `${F}.${keyof Table[F] & string}`
}[keyof Table & string]

const deployToken = { type: 'DeployToken', table: 'deployToken', field: 'token', column: 'name' } as const
const accessToken = {
  type: 'PersonalAccessToken',
  table: 'personalAccessToken',
  field: 'token',
  column: 'name',
} as const
const deployKey = { type: 'DeployKey', table: 'sshKey', field: 'deployKey', column: 'title' } as const
const hook = { type: 'WebHook', table: 'hook', field: 'hook', column: 'name' } as const
const application = {
  type: 'OauthApplication',
  table: 'oauthApplication',
  field: 'application',
  column: 'name',
} as const
const approvalRule = { type: 'ApprovalRule', table: 'approvalRule', field: 'rule', column: 'name' } as const
const runner = { type: 'Ci::Runner', table: 'runner', field: 'runner', column: 'description' } as const
const repository = {
  type: 'ContainerRepository',
  table: 'containerRepository',
  field: 'repository',
  column: 'name',
} as const
const mirror = { type: 'RemoteMirror', table: 'remoteMirror', field: 'mirror', column: 'url' } as const
const trigger = { type: 'Ci::Trigger', table: 'pipelineTrigger', field: 'trigger', column: 'description' } as const
const branch = { type: 'ProtectedBranch' }
const tag = { type: 'ProtectedTag' }
const release = { type: 'Release', name: 'tagName' }
const flag = { type: 'FeatureFlag' }
const environment = { type: 'ProtectedEnvironment' }
const variable = { type: 'CiVariable', name: 'key' }
const invitedGroup = { type: 'Group', field: 'withGroup', find: findGroup }
const jobTokenGroup = { type: 'Group', field: 'targetGroup', find: findGroup }
const jobTokenProject = { type: 'Project', field: 'targetProject', find: findProject }

const accessTokenCreated = { project: 'project_access_token_created', group: 'group_access_token_created' }
const accessTokenDeleted = { project: 'project_access_token_deleted', group: 'group_access_token_deleted' }

const variableEvents = (verb: string) => ({
  project: `ci_variable_${verb}`,
  group: `ci_group_variable_${verb}`,
  instance: `ci_instance_variable_${verb}`,
})

const projectCreated = (event: string, customMessage: string) =>
  announced('project.created', ({ project }) => {
    const entity = projectEntity(project)
    return [auditEvent(event, entity, entityTarget(entity), { customMessage })]
  })

const accountCreated = (event: string, customMessage: string) =>
  announced('user.created', ({ user }) => {
    const entity = userEntity(user)
    return [auditEvent(event, entity, entityTarget(entity), { customMessage })]
  })

const groupCreated = announced('group.created', ({ group }) => {
  const entity = groupEntity(group)
  return [auditEvent('group_created', entity, entityTarget(entity), { customMessage: 'Created group' })]
})

const projectUpdated = changed({ read: readProject, events: projectEvents })
const pushRuleChanged = changed({ read: readPushRule, events: pushRuleEvents, changesAll: true })

/** How the calls of an operation are recorded; calls of other operations are not. */
export const auditTable: { readonly [N in OperationName]?: AuditEntry } = {
  'settings.update': settingsUpdated,
  'instanceFeatures.set': named('instance_feature_updated', 'Changed feature of the instance', { type: 'Feature' }),
  'instanceFeatures.remove': named('instance_feature_removed', 'Removed feature of the instance', { type: 'Feature' }),

  // Users, and what belongs to their accounts
  'users.create': accountCreated('user_created', 'Created user'),
  'passwords.createAccount': accountCreated('registration_created', 'Signed up'),
  'users.update': userUpdated,
  'users.remove': ofAccount('user_destroyed', 'Removed user'),
  'users.block': ofAccount('user_blocked', 'Blocked user'),
  'users.unblock': ofAccount('unblock_user', 'Unblocked user'),
  'users.ban': ofAccount('ban_user', 'Banned user'),
  'users.unban': ofAccount('unban_user', 'Unbanned user'),
  'users.activate': ofAccount('user_activate', 'Activated user'),
  'users.deactivate': ofAccount('user_deactivate', 'Deactivated user'),
  'users.approve': ofAccount('user_approved', 'Approved user'),
  'users.reject': ofAccount('user_rejected', 'Rejected user'),
  'users.disableTwoFactor': ofAccount('user_disable_two_factor', 'Disabled two-factor authentication'),
  'passwords.set': ofAccount('user_password_updated', 'Changed password'),
  'passwords.remove': ofAccount('user_password_updated', 'Removed password'),
  'passwords.reset': passwordReset,
  'passwords.requestReset': passwordResetRequested,
  'identities.link': ofAccount('identity_linked', 'Linked identity'),
  'identities.unlink': ofAccount('identity_unlinked', 'Unlinked identity'),
  'tokens.create': ofAccount('personal_access_token_created', 'Created personal access token', {
    created: { type: 'PersonalAccessToken' },
  }),
  'tokens.rotate': tokenRotated,
  'tokens.revoke': tokenRevoked,
  'emails.create': ofAccount('email_created', 'Added e-mail address', { created: { type: 'Email', name: 'email' } }),
  'emails.remove': ofAccount('email_destroyed', 'Removed e-mail address', {
    removed: { type: 'Email', table: 'emailAddress', field: 'emailId', column: 'email' },
  }),
  'keys.create': ofAccount('add_ssh_key', 'Added SSH key', { created: { type: 'Key', name: 'title' } }),
  'keys.remove': ofAccount('remove_ssh_key', 'Removed SSH key', {
    removed: { type: 'Key', table: 'sshKey', field: 'key', column: 'title' },
  }),
  'gpgKeys.create': ofAccount('add_gpg_key', 'Added GPG key', { created: { type: 'GpgKey', name: 'fingerprint' } }),
  'gpgKeys.remove': ofAccount('remove_gpg_key', 'Removed GPG key', {
    removed: { type: 'GpgKey', table: 'gpgKey', field: 'key', column: 'fingerprint' },
  }),
  'gpgKeys.revoke': ofAccount('remove_gpg_key', 'Revoked GPG key', {
    removed: { type: 'GpgKey', table: 'gpgKey', field: 'key', column: 'fingerprint' },
  }),
  'applications.create': created('oauth_application_created', 'Created OAuth application', {
    type: 'OauthApplication',
  }),
  'applications.rotateSecret': existing('oauth_application_secret_rotated', 'Rotated secret', application),
  'applications.remove': existing('oauth_application_removed', 'Removed OAuth application', application),

  // Groups and projects
  'groups.create': groupCreated,
  'groups.update': changed({ read: readGroup, events: groupEvents }),
  'groups.transfer': changed({
    read: readGroupPath,
    events: { fullPath: 'group_path_updated' },
    changesAll: true,
  }),
  'groups.remove': groupRemoved,
  'groups.archive': ofSubject('group_archived', 'Archived group'),
  'groups.unarchive': ofSubject('group_unarchived', 'Unarchived group'),
  'groups.receiveProject': announced('project.updated', ({ before, after }) => {
    const entity = projectEntity(after)
    const change = { change: 'namespace', from: before.fullPath, to: after.fullPath }
    return [auditEvent('project_namespace_updated', entity, entityTarget(entity), change)]
  }),
  'groups.restore': ofSubject('group_restored', 'Restored group'),
  'projects.create': projectCreated('project_created', 'Created project'),
  'projects.update': projectUpdated,
  'projects.transfer': changed({
    read: readProjectPath,
    events: { fullPath: 'project_namespace_updated' },
    changesAll: true,
  }),
  'projects.archive': ofSubject('project_archived', 'Archived project'),
  'projects.unarchive': ofSubject('project_unarchived', 'Unarchived project'),
  'projects.remove': projectRemoved,
  'projects.restore': ofSubject('project_restored', 'Restored project'),
  'forks.create': projectCreated('project_fork_operation', 'Forked project'),
  'forks.unlink': ofSubject('project_fork_relationship_removed', 'Removed fork relationship'),
  'imports.createProject': projectCreated('project_imported', 'Imported project'),
  'imports.createGroup': groupCreated,
  'exports.create': ofSubject({ project: 'project_export_created', group: 'group_export_created' }, 'Requested export'),
  'members.add': membersAdded,
  'members.import': membersAdded,
  'members.update': memberUpdated,
  'members.setOverride': memberUpdated,
  'members.removeOverride': memberUpdated,
  'members.remove': memberRemoved,
  'accessRequests.approve': memberJoined(),
  'invitations.create': memberJoined(),
  'invitations.accept': memberJoined(),
  'scim.create': memberJoined('user_provisioned_by_scim'),
  'shares.create': referenced(
    { project: 'project_group_link_created', group: 'group_share_with_group_link_created' },
    'Invited group',
    invitedGroup,
  ),
  'shares.remove': referenced(
    { project: 'project_group_link_deleted', group: 'group_share_with_group_link_removed' },
    'Removed invited group',
    invitedGroup,
  ),
  'sso.enable': ofSubject('group_saml_provider_create', 'Enabled single sign-on'),
  'sso.disable': ofSubject('group_saml_provider_update', 'Disabled single sign-on'),
  'sso.createToken': created('scim_token_created', 'Created SCIM token', { type: 'ScimToken' }),
  'sso.rotateToken': ofSubject('scim_token_rotated', 'Replaced the secret of a SCIM token'),
  'sso.revokeToken': ofSubject('scim_token_revoked', 'Revoked SCIM token'),
  'accessTokens.create': created(accessTokenCreated, 'Created access token', { type: 'PersonalAccessToken' }),
  'accessTokens.rotate': together(
    existing(accessTokenDeleted, 'Revoked access token by rotation', accessToken),
    created(accessTokenCreated, 'Created access token by rotation', { type: 'PersonalAccessToken' }),
  ),
  'accessTokens.revoke': existing(accessTokenDeleted, 'Revoked access token', accessToken),
  'deployTokens.create': created(
    { project: 'deploy_token_created', group: 'group_deploy_token_created' },
    'Created deploy token',
    { type: 'DeployToken' },
  ),
  'deployTokens.remove': existing(
    { project: 'deploy_token_destroyed', group: 'group_deploy_token_destroyed' },
    'Removed deploy token',
    deployToken,
  ),
  'deployKeys.create': created('deploy_key_added', 'Added deploy key', { type: 'DeployKey', name: 'title' }),
  'deployKeys.enable': existing('deploy_key_added', 'Enabled deploy key', deployKey),
  'deployKeys.update': existing('deploy_key_updated', 'Changed deploy key', deployKey),
  'deployKeys.remove': existing('deploy_key_removed', 'Removed deploy key', deployKey),
  'hooks.create': created('webhook_created', 'Created webhook', { type: 'WebHook' }),
  'hooks.update': existing('webhook_updated', 'Changed webhook', hook),
  'hooks.remove': existing('webhook_destroyed', 'Removed webhook', hook),

  // Code and reviews
  'protectedBranches.create': created('protected_branch_created', 'Protected branch', branch),
  'protectedBranches.update': named('protected_branch_updated', 'Changed protection of branch', branch),
  'protectedBranches.remove': named('protected_branch_removed', 'Removed protection of branch', branch),
  'branches.protect': named('protected_branch_updated', 'Protected branch', { ...branch, name: 'branch' }),
  'branches.unprotect': named('protected_branch_removed', 'Removed protection of branch', {
    ...branch,
    name: 'branch',
  }),
  'protectedTags.create': created('protected_tag_created', 'Protected tag', tag),
  'protectedTags.remove': named('protected_tag_removed', 'Removed protection of tag', tag),
  'pushRules.create': pushRuleChanged,
  'pushRules.update': pushRuleChanged,
  'pushRules.remove': pushRuleChanged,
  'pullMirrors.update': created('pull_mirror_updated', 'Changed pull mirror', { type: 'PullMirror', name: 'url' }),
  'remoteMirrors.create': created('remote_mirror_created', 'Created mirror', { type: 'RemoteMirror', name: 'url' }),
  'remoteMirrors.update': created('remote_mirror_updated', 'Changed mirror', { type: 'RemoteMirror', name: 'url' }),
  'remoteMirrors.remove': existing('remote_mirror_removed', 'Removed mirror', mirror),
  'repository.maintain': ofSubject('manually_trigger_housekeeping', 'Requested housekeeping'),
  'approvalRules.create': created('approval_rule_created', 'Created approval rule', { type: 'ApprovalRule' }),
  'approvalRules.update': existing('update_approval_rules', 'Changed approval rule', approvalRule),
  'approvalRules.remove': existing('approval_rule_deleted', 'Removed approval rule', approvalRule),
  'approvalRules.updateConfiguration': projectUpdated,
  'mergeRequests.merge': announced('mergeRequest.merged', ({ mergeRequest }, call) => [
    auditEvent('merge_request_merged', entityOf(call), toTarget('MergeRequest', mergeRequest, 'title'), {
      customMessage: 'Merged merge request',
    }),
  ]),

  // Delivery
  'releases.create': named('release_created', 'Created release', release),
  'releases.update': named('release_updated', 'Changed release', release),
  'releases.remove': named('release_deleted_audit_event', 'Removed release', release),
  'protectedEnvironments.create': created('environment_protected', 'Protected environment', environment),
  'protectedEnvironments.remove': named('environment_unprotected', 'Removed protection of environment', environment),
  'deployments.setApproval': deploymentDecided,
  'ciVariables.create': named(variableEvents('created'), 'Created CI/CD variable', variable),
  'ciVariables.update': named(variableEvents('updated'), 'Changed CI/CD variable', variable),
  'ciVariables.remove': named(variableEvents('deleted'), 'Removed CI/CD variable', variable),
  'pipelines.remove': pipelineRemoved,
  'pipelineTriggers.create': created('pipeline_trigger_created', 'Created pipeline trigger', {
    type: 'Ci::Trigger',
    name: 'description',
  }),
  'pipelineTriggers.remove': existing('pipeline_trigger_removed', 'Removed pipeline trigger', trigger),
  'jobTokenScopes.update': ofSubject(
    ({ fields }) => `secure_ci_job_token_inbound_${fields.enabled ? 'enabled' : 'disabled'}`,
    'Changed the limit of job tokens',
  ),
  'jobTokenScopes.addProject': referenced('secure_ci_job_token_project_added', 'Added project', jobTokenProject),
  'jobTokenScopes.removeProject': referenced('secure_ci_job_token_project_removed', 'Removed project', jobTokenProject),
  'jobTokenScopes.addGroup': referenced('secure_ci_job_token_group_added', 'Added group', jobTokenGroup),
  'jobTokenScopes.removeGroup': referenced('secure_ci_job_token_group_removed', 'Removed group', jobTokenGroup),
  'runners.create': runnerCreated('ci_runner_created', 'Created runner'),
  'runners.register': runnerCreated('ci_runner_registered', 'Registered runner'),
  'runners.remove': ofRunner('ci_runner_unregistered', 'Removed runner'),
  'runners.rotateToken': ofRunner('ci_runner_token_reset', 'Reset token of runner'),
  'runners.resetRegistrationToken': ofSubject('ci_runner_token_reset', 'Reset registration token of runners'),
  'runners.enable': existing('ci_runner_assigned_to_project', 'Assigned runner', runner),
  'runners.disable': existing('ci_runner_unassigned_from_project', 'Unassigned runner', runner),
  'featureFlags.create': created('feature_flag_created', 'Created feature flag', flag),
  'featureFlags.update': named('feature_flag_updated', 'Changed feature flag', { ...flag, name: 'featureFlag' }),
  'featureFlags.remove': named('feature_flag_deleted', 'Removed feature flag', { ...flag, name: 'featureFlag' }),
  'containerRepositories.remove': existing(
    'container_repository_deletion_marked',
    'Removed container repository',
    repository,
  ),
  'containerTags.remove': existing(
    'container_repository_tags_deleted',
    'Removed tag of container repository',
    repository,
  ),
  'containerTags.removeMatching': existing(
    'container_repository_tags_deleted',
    'Removed tags of container repository',
    repository,
  ),
}
