import type { MigrationDatabase } from '../columns.ts'
import * as accounts from './0001_accounts.ts'
import * as namespaces from './0002_namespaces.ts'
import * as projects from './0003_projects.ts'
import * as members from './0004_members.ts'
import * as labels from './0005_labels.ts'
import * as issues from './0006_issues.ts'
import * as jobs from './0007_jobs.ts'
import * as membersComplete from './0008_members_complete.ts'
import * as snippets from './0009_snippets.ts'
import * as epics from './0010_epics.ts'
import * as notes from './0011_notes.ts'
import * as events from './0012_events.ts'
import * as todos from './0013_todos.ts'
import * as notificationSettings from './0014_notification_settings.ts'
import * as statistics from './0015_statistics.ts'
import * as scim from './0016_scim.ts'
import * as groups from './0020_groups.ts'
import * as environments from './0021_environments.ts'
import * as protectedEnvironments from './0022_protected_environments.ts'
import * as errorTracking from './0023_error_tracking.ts'
import * as dependencies from './0024_dependencies.ts'
import * as keys from './0025_keys.ts'
import * as replicaNodes from './0026_replica_nodes.ts'
import * as repositories from './0030_repositories.ts'
import * as settings from './0032_settings.ts'
import * as pagesDomains from './0033_pages_domains.ts'
import * as remoteMirrors from './0034_remote_mirrors.ts'
import * as containerRegistry from './0035_container_registry.ts'
import * as issueCounters from './0038_issue_counters.ts'
import * as limitsAndCounters from './0040_limits_and_counters.ts'
import * as releases from './0042_releases.ts'
import * as memberUsers from './0043_member_users.ts'
import * as mergeRequestChanges from './0044_merge_request_changes.ts'
import * as userIdentities from './0046_user_identities.ts'
import * as wideNumbers from './0047_wide_numbers.ts'
import * as jobLanes from './0048_job_lanes.ts'
import * as projectShareLevels from './0049_project_share_levels.ts'
import * as internalNotes from './0050_internal_notes.ts'
import * as eventOrder from './0051_event_order.ts'
import * as scimNames from './0052_scim_names.ts'
import * as permissionVersion from './0053_permission_version.ts'
import * as signalOutbox from './0054_signal_outbox.ts'
import * as fileStorage from './0055_file_storage.ts'
import * as listOrders from './0056_list_orders.ts'
import * as referenceChanges from './0057_reference_changes.ts'
import * as merges from './0060_merges.ts'
import * as planning from './0064_planning.ts'
import * as awardEmojiTargets from './0065_award_emoji_targets.ts'
import * as epicDetails from './0066_epic_details.ts'

export interface Migration {
  readonly name: string
  up(db: MigrationDatabase): Promise<void>
}

/** All migrations in order. A released migration is never edited: every change is a new migration. */
export const migrations: readonly Migration[] = [
  { name: '0001_accounts', up: accounts.up },
  { name: '0002_namespaces', up: namespaces.up },
  { name: '0003_projects', up: projects.up },
  { name: '0004_members', up: members.up },
  { name: '0005_labels', up: labels.up },
  { name: '0006_issues', up: issues.up },
  { name: '0007_jobs', up: jobs.up },
  { name: '0008_members_complete', up: membersComplete.up },
  { name: '0009_snippets', up: snippets.up },
  { name: '0010_epics', up: epics.up },
  { name: '0011_notes', up: notes.up },
  { name: '0012_events', up: events.up },
  { name: '0013_todos', up: todos.up },
  { name: '0014_notification_settings', up: notificationSettings.up },
  { name: '0015_statistics', up: statistics.up },
  { name: '0016_scim', up: scim.up },
  { name: '0020_groups', up: groups.up },
  { name: '0021_environments', up: environments.up },
  { name: '0022_protected_environments', up: protectedEnvironments.up },
  { name: '0023_error_tracking', up: errorTracking.up },
  { name: '0024_dependencies', up: dependencies.up },
  { name: '0025_keys', up: keys.up },
  { name: '0026_replica_nodes', up: replicaNodes.up },
  { name: '0030_repositories', up: repositories.up },
  { name: '0032_settings', up: settings.up },
  { name: '0033_pages_domains', up: pagesDomains.up },
  { name: '0034_remote_mirrors', up: remoteMirrors.up },
  { name: '0035_container_registry', up: containerRegistry.up },
  { name: '0038_issue_counters', up: issueCounters.up },
  { name: '0040_limits_and_counters', up: limitsAndCounters.up },
  { name: '0042_releases', up: releases.up },
  { name: '0043_member_users', up: memberUsers.up },
  { name: '0044_merge_request_changes', up: mergeRequestChanges.up },
  { name: '0046_user_identities', up: userIdentities.up },
  { name: '0047_wide_numbers', up: wideNumbers.up },
  { name: '0048_job_lanes', up: jobLanes.up },
  { name: '0049_project_share_levels', up: projectShareLevels.up },
  { name: '0050_internal_notes', up: internalNotes.up },
  { name: '0051_event_order', up: eventOrder.up },
  { name: '0052_scim_names', up: scimNames.up },
  { name: '0053_permission_version', up: permissionVersion.up },
  { name: '0054_signal_outbox', up: signalOutbox.up },
  { name: '0055_file_storage', up: fileStorage.up },
  { name: '0056_list_orders', up: listOrders.up },
  { name: '0057_reference_changes', up: referenceChanges.up },
  { name: '0060_merges', up: merges.up },
  { name: '0064_planning', up: planning.up },
  { name: '0065_award_emoji_targets', up: awardEmojiTargets.up },
  { name: '0066_epic_details', up: epicDetails.up },
]
