import type { GeneratedAlways } from 'kysely'
import type { FeatureLevel, Visibility } from '../../access/levels.ts'
import type { Stored } from '../../db/stored.ts'
import type { IssueRecord } from './issue.ts'

/** Issues apart by what decides who counts them: confidential ones are `secret`. Kept by triggers. */
interface Counts {
  opened: GeneratedAlways<number>
  closed: GeneratedAlways<number>
  secretOpened: GeneratedAlways<number>
  secretClosed: GeneratedAlways<number>
}

export interface IssueTables {
  issue: Stored<IssueRecord>
  issueAssignee: { issueId: number; userId: number }
  issueLabel: { issueId: number; labelId: number }
  /** SQLite only: a label and an issue that carries it as one number, `labelId << 32 | issueId`. Kept by triggers. */
  issueLabelKey: { link: GeneratedAlways<number> }
  /** What counting asks of each issue. Kept by triggers. */
  issueFact: {
    issueId: GeneratedAlways<number>
    projectId: GeneratedAlways<number>
    closed: GeneratedAlways<boolean>
    confidential: GeneratedAlways<boolean>
  }
  /** How many issues a project has, and what of the project decides who reads them. No row for none. */
  issueCount: Counts & {
    projectId: GeneratedAlways<number>
    namespaceId: GeneratedAlways<number>
    visibility: GeneratedAlways<Visibility>
    issuesAccessLevel: GeneratedAlways<FeatureLevel>
  }
  /** How many issues of a project have a label, an assignee, an author or a milestone: `kind` is one of `tallyKinds`. */
  issueTally: Counts & {
    kind: GeneratedAlways<number>
    subjectId: GeneratedAlways<number>
    projectId: GeneratedAlways<number>
  }
}
