/**
 * What is kept beside issues so that they can be counted: statements that both databases understand, with names in braces
 * as `statement` reads them.
 *
 * `issue_fact`: what a count asks of an issue, in the fewest bytes. `issue_count`: how many issues a project has, with what
 * decides who reads them. `issue_tally`: the same numbers for each label, assignee, author and milestone, by project.
 */

const sums = ['opened', 'closed', 'secret_opened', 'secret_closed'] as const

/** What `issue_tally.kind` says `subject_id` is the id of. Stored: numbers are never given to something else. */
export const tallyKinds = { label: 1, assignee: 2, author: 3, milestone: 4 } as const

const one = (condition: string) => `case when ${condition} then 1 else 0 end`

/** Four columns with a single 1 among them, of a row that has `state` and `confidential`. */
const single = (row: string) =>
  [
    one(`${row}.state = 'opened' and not ${row}.confidential`),
    one(`${row}.state = 'closed' and not ${row}.confidential`),
    one(`${row}.state = 'opened' and ${row}.confidential`),
    one(`${row}.state = 'closed' and ${row}.confidential`),
  ] as const

const counted = (row: string) =>
  single(row)
    .map((expression) => `sum(${expression})`)
    .join(', ')

const addUp = (table: string) => sums.map((sum) => `${sum} = {${table}}.${sum} + excluded.${sum}`).join(', ')
const takeAway = (row: string) => sums.map((sum, at) => `${sum} = ${sum} - (${single(row)[at]})`).join(', ')

const nothing = `${sums.join(' + ')} = 0`

const links = [
  { table: 'issue_label', subject: 'label_id', kind: tallyKinds.label },
  { table: 'issue_assignee', subject: 'user_id', kind: tallyKinds.assignee },
] as const

const columns = [
  { subject: 'author_id', kind: tallyKinds.author },
  { subject: 'milestone_id', kind: tallyKinds.milestone },
] as const

const moreTally = (kind: number, subject: string, row: string, from: string, where: string) => `
  insert into {issue_tally} (kind, subject_id, project_id, ${sums.join(', ')})
  select ${kind}, ${subject}, ${row}.project_id, ${single(row).join(', ')} from ${from} where ${where}
  on conflict (kind, subject_id, project_id) do update set ${addUp('issue_tally')};`

/** Rows of zeros go: what is gone leaves nothing behind. */
const fewerTally = (kind: number, subjects: string, row: string) => {
  const where = `kind = ${kind} and subject_id ${subjects} and project_id = ${row}.project_id`
  return `
  update {issue_tally} set ${takeAway(row)} where ${where};
  delete from {issue_tally} where ${where} and ${nothing};`
}

const moreIssue = `
  insert into {issue_count} (project_id, namespace_id, visibility, issues_access_level)
  select id, namespace_id, visibility, issues_access_level from {project} where id = new.project_id
  on conflict (project_id) do nothing;
  update {issue_count} set ${sums.map((sum, at) => `${sum} = ${sum} + (${single('new')[at]})`).join(', ')}
  where project_id = new.project_id;
  ${columns
    .map(({ kind, subject }) =>
      moreTally(kind, `new.${subject}`, 'new', '(select 1 as one) as once', `new.${subject} is not null`),
    )
    .join('')}`

const fewerIssue = `
  update {issue_count} set ${takeAway('old')} where project_id = old.project_id;
  delete from {issue_count} where project_id = old.project_id and ${nothing};
  ${columns.map(({ kind, subject }) => fewerTally(kind, `= old.${subject}`, 'old')).join('')}`

const linksOf = (row: string, { table, subject }: (typeof links)[number]) =>
  `in (select ${subject} from {${table}} where issue_id = ${row}.id)`

const watched = ['project_id', 'state', 'confidential', 'author_id', 'milestone_id'] as const
const isNew = (names: readonly string[]) =>
  names.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')

export interface Trigger {
  readonly name: string
  readonly event: string
  readonly when?: string
  readonly body: string
}

const moreLink = (kind: number, subject: string) =>
  moreTally(kind, `new.${subject}`, 'issue', '{issue} as issue', 'issue.id = new.issue_id')

/** Nothing where the fact is gone: then the links went with their issue, and were taken away with it. */
const fewerLink = (kind: number, subject: string) => {
  const where = `kind = ${kind} and subject_id = old.${subject}
    and project_id = (select project_id from {issue_fact} where issue_id = old.issue_id)`
  const fact = (closed: boolean, confidential: boolean) =>
    `(select count(*) from {issue_fact} where issue_id = old.issue_id and ${closed ? '' : 'not '}closed
      and ${confidential ? '' : 'not '}confidential)`
  return `
  update {issue_tally} set opened = opened - ${fact(false, false)}, closed = closed - ${fact(true, false)},
    secret_opened = secret_opened - ${fact(false, true)}, secret_closed = secret_closed - ${fact(true, true)}
  where ${where};
  delete from {issue_tally} where ${where} and ${nothing};`
}

/**
 * What is taken away is taken away before the row goes: a cascade on PostgreSQL runs its `after` triggers only when everything
 * has gone, in an order of its own.
 *
 * `keys`: labels are also held as one number each, label and issue. Only SQLite finds those faster.
 */
export const triggers = (keys: boolean): readonly Trigger[] => [
  {
    name: 'issue_added',
    event: 'after insert on {issue}',
    body: `
  insert into {issue_fact} (issue_id, project_id, closed, confidential)
  values (new.id, new.project_id, new.state = 'closed', new.confidential);
  ${moreIssue}`,
  },
  {
    name: 'issue_removed',
    event: 'before delete on {issue}',
    body: `${fewerIssue}
  ${links.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  delete from {issue_fact} where issue_id = old.id;`,
  },
  {
    name: 'issue_changed',
    event: `before update of ${watched.join(', ')} on {issue}`,
    when: isNew(watched),
    body: `
  ${fewerIssue}
  ${moreIssue}
  ${links.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  ${links
    .map(({ table, subject, kind }) =>
      moreTally(kind, `link.${subject}`, 'new', `{${table}} as link`, 'link.issue_id = new.id'),
    )
    .join('')}
  update {issue_fact} set project_id = new.project_id, closed = (new.state = 'closed'), confidential = new.confidential
  where issue_id = new.id;`,
  },
  {
    name: 'issue_count_judged',
    event: 'after update of namespace_id, visibility, issues_access_level on {project}',
    body: `
  update {issue_count} set namespace_id = new.namespace_id, visibility = new.visibility,
    issues_access_level = new.issues_access_level
  where project_id = new.id;`,
  },
  ...links.flatMap(({ table, subject, kind }) => {
    const keyed = keys && table === 'issue_label'
    const more =
      moreLink(kind, subject) +
      (keyed ? 'insert into {issue_label_key} (link) values (new.label_id << 32 | new.issue_id);' : '')
    const fewer =
      fewerLink(kind, subject) +
      (keyed ? 'delete from {issue_label_key} where link = (old.label_id << 32 | old.issue_id);' : '')
    return [
      { name: `${table}_added`, event: `after insert on {${table}}`, body: more },
      { name: `${table}_removed`, event: `before delete on {${table}}`, body: fewer },
      { name: `${table}_turned`, event: `before update of issue_id, ${subject} on {${table}}`, body: fewer + more },
    ]
  }),
]

/** What each table must hold, by its columns: to fill it and to check it. */
export const contents = (keys: boolean): readonly { table: string; columns: string; rows: string }[] => [
  {
    table: 'issue_fact',
    columns: 'issue_id, project_id, closed, confidential',
    rows: `select id, project_id, state = 'closed', confidential from {issue}`,
  },
  {
    table: 'issue_count',
    columns: `project_id, namespace_id, visibility, issues_access_level, ${sums.join(', ')}`,
    rows: `select project.id, project.namespace_id, project.visibility, project.issues_access_level, ${counted('issue')}
      from {issue} as issue join {project} as project on project.id = issue.project_id
      group by project.id, project.namespace_id, project.visibility, project.issues_access_level`,
  },
  {
    table: 'issue_tally',
    columns: `kind, subject_id, project_id, ${sums.join(', ')}`,
    rows: [
      ...links.map(
        ({ table, subject, kind }) => `select ${kind}, link.${subject}, issue.project_id, ${counted('issue')}
          from {${table}} as link join {issue} as issue on issue.id = link.issue_id group by link.${subject}, issue.project_id`,
      ),
      ...columns.map(
        ({ subject, kind }) => `select ${kind}, issue.${subject}, issue.project_id, ${counted('issue')}
          from {issue} as issue where issue.${subject} is not null group by issue.${subject}, issue.project_id`,
      ),
    ].join(' union all '),
  },
  ...(keys
    ? [{ table: 'issue_label_key', columns: 'link', rows: 'select label_id << 32 | issue_id from {issue_label}' }]
    : []),
]
