import type { Trigger } from '../schema/trigger.ts'
import { countColumns, countValues, tallyLinks, tallySubjects } from './columns.ts'

const addUp = (table: string) => countColumns.map((sum) => `${sum} = {${table}}.${sum} + excluded.${sum}`).join(', ')
const takeAway = (row: string) =>
  countColumns.map((sum, at) => `${sum} = ${sum} - (${countValues(row)[at]})`).join(', ')

const nothing = `${countColumns.join(' + ')} = 0`

const moreTally = (kind: number, subject: string, row: string, from: string, where: string) => `
  insert into {issue_tally} (kind, subject_id, project_id, ${countColumns.join(', ')})
  select ${kind}, ${subject}, ${row}.project_id, ${countValues(row).join(', ')} from ${from} where ${where}
  on conflict (kind, subject_id, project_id) do update set ${addUp('issue_tally')};`

/** Deletes rows whose counts have all become 0. */
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
  update {issue_count} set ${countColumns.map((sum, at) => `${sum} = ${sum} + (${countValues('new')[at]})`).join(', ')}
  where project_id = new.project_id;
  ${tallySubjects
    .map(({ kind, subject }) =>
      moreTally(kind, `new.${subject}`, 'new', '(select 1 as one) as once', `new.${subject} is not null`),
    )
    .join('')}`

const fewerIssue = `
  update {issue_count} set ${takeAway('old')} where project_id = old.project_id;
  delete from {issue_count} where project_id = old.project_id and ${nothing};
  ${tallySubjects.map(({ kind, subject }) => fewerTally(kind, `= old.${subject}`, 'old')).join('')}`

const linksOf = (row: string, { table, subject }: (typeof tallyLinks)[number]) =>
  `in (select ${subject} from {${table}} where issue_id = ${row}.id)`

const watched = ['project_id', 'state', 'confidential', 'author_id', 'milestone_id'] as const
const isNew = (names: readonly string[]) =>
  names.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')

const moreLink = (kind: number, subject: string) =>
  moreTally(kind, `new.${subject}`, 'issue', '{issue} as issue', 'issue.id = new.issue_id')

/** Changes nothing when the `issue_fact` row is gone: the deletion of the issue has already subtracted its tallyLinks. */
const fewerLink = (kind: number, subject: string) => {
  const where = `kind = ${kind} and subject_id = old.${subject}
    and project_id = (select project_id from {issue_fact} where issue_id = old.issue_id)`
  const fact = (closed: boolean, confidential: boolean) =>
    `(select count(*) from {issue_fact} where issue_id = old.issue_id and ${closed ? '' : 'not '}closed
      and ${confidential ? '' : 'not '}confidential)`
  return `
  update {issue_tally} set opened = opened - ${fact(false, false)}, closed = closed - ${fact(true, false)},
    confidential_opened = confidential_opened - ${fact(false, true)}, confidential_closed = confidential_closed - ${fact(true, true)}
  where ${where};
  delete from {issue_tally} where ${where} and ${nothing};`
}

/**
 * Counts are subtracted in `before` triggers: a cascade on PostgreSQL runs its `after` triggers only once all rows are
 * deleted, in an unspecified order.
 *
 * @param keys also maintain `issue_label_key` (label and issue id in one integer), which is faster on SQLite only
 */
export const countTriggers = (keys: boolean): readonly Trigger[] => [
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
  ${tallyLinks.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  delete from {issue_fact} where issue_id = old.id;`,
  },
  {
    name: 'issue_changed',
    event: `before update of ${watched.join(', ')} on {issue}`,
    when: isNew(watched),
    body: `
  ${fewerIssue}
  ${moreIssue}
  ${tallyLinks.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  ${tallyLinks
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
  ...tallyLinks.flatMap(({ table, subject, kind }) => {
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
