/** Values of `issue_tally.kind`: the table that `subject_id` refers to. Stored, so a number is never reused. */
export const tallyKinds = { label: 1, assignee: 2, author: 3, milestone: 4 } as const

export const countColumns = ['opened', 'closed', 'confidential_opened', 'confidential_closed'] as const

const one = (condition: string) => `case when ${condition} then 1 else 0 end`

/** The values that a row with `state` and `confidential` adds to `countColumns`: a single 1. */
export const countValues = (row: string) =>
  [
    one(`${row}.state = 'opened' and not ${row}.confidential`),
    one(`${row}.state = 'closed' and not ${row}.confidential`),
    one(`${row}.state = 'opened' and ${row}.confidential`),
    one(`${row}.state = 'closed' and ${row}.confidential`),
  ] as const

/** The link tables that are tallied. */
export const tallyLinks = [
  { table: 'issue_label', subject: 'label_id', kind: tallyKinds.label },
  { table: 'issue_assignee', subject: 'user_id', kind: tallyKinds.assignee },
] as const

/** The columns of `issue` that are tallied. */
export const tallySubjects = [
  { subject: 'author_id', kind: tallyKinds.author },
  { subject: 'milestone_id', kind: tallyKinds.milestone },
] as const
