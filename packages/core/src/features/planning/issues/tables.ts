import type { GeneratedAlways } from 'kysely'
import type { FeatureLevel, Visibility } from '../../../access/levels.ts'
import type { WithGeneratedId } from '../../../db/generated-id.ts'
import type { IssueRecord } from './issue.ts'

/** Numbers of issues by state; the `secret` columns count confidential issues, the others do not. Maintained by triggers. */
export interface CountColumns {
  opened: GeneratedAlways<number>
  closed: GeneratedAlways<number>
  confidentialOpened: GeneratedAlways<number>
  confidentialClosed: GeneratedAlways<number>
}

export interface IssueTables {
  issue: WithGeneratedId<IssueRecord> & {
    /** Place in the manual order of the project; null if the issue was never moved: `issuePosition`. */
    relativePosition: number | null
  }
  issueAssignee: { issueId: number; userId: number }
  issueLabel: { issueId: number; labelId: number }
  /** SQLite only: a row of `issueLabel` as one integer, `labelId << 32 | issueId`. Maintained by triggers. */
  issueLabelKey: { link: GeneratedAlways<number> }
  /** The columns of `issue` that counts need, in a narrow row. Maintained by triggers. */
  issueFact: {
    issueId: GeneratedAlways<number>
    projectId: GeneratedAlways<number>
    closed: GeneratedAlways<boolean>
    confidential: GeneratedAlways<boolean>
  }
  /** Issues per project, with the columns of the project that the read permission needs. No row for a project without issues. */
  issueCount: CountColumns & {
    projectId: GeneratedAlways<number>
    namespaceId: GeneratedAlways<number>
    visibility: GeneratedAlways<Visibility>
    issuesAccessLevel: GeneratedAlways<FeatureLevel>
  }
  /** Issues per project and label, assignee, author or milestone: `kind` is one of `tallyKinds`. */
  issueTally: CountColumns & {
    kind: GeneratedAlways<number>
    subjectId: GeneratedAlways<number>
    projectId: GeneratedAlways<number>
  }
}
