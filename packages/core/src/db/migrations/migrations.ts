import type { Schema } from '../columns.ts'
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

export interface Migration {
  readonly name: string
  up(db: Schema): Promise<void>
}

/** In the order in which they run. Once released, one is never edited: a change is a new one. */
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
]
