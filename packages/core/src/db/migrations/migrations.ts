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
]
