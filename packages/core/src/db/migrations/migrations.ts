import type { Schema } from '../columns.ts'
import * as accounts from './0001_accounts.ts'
import * as namespaces from './0002_namespaces.ts'
import * as projects from './0003_projects.ts'
import * as members from './0004_members.ts'
import * as labels from './0005_labels.ts'
import * as issues from './0006_issues.ts'
import * as jobs from './0007_jobs.ts'

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
]
