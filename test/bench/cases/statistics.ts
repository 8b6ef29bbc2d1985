import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPlatform, type Session, sqlite } from '@forgelet/core'
import type Sqlite from 'better-sqlite3'
import { alternate, median, pairedRatio } from '../measure.ts'
import { busiest, createMillionIssues, reader, word } from '../million-issues.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

const rounds = 7
const absolute = 'none: an absolute limit'

interface Statistic {
  readonly what: string
  /** SQL for the plain database; returns one row with `opened` and `closed`. */
  readonly plain: string
  readonly ours: (admin: Session, user: Session) => Promise<{ opened: number; closed: number }>
  /** The minimum factor by which ours is faster. */
  readonly faster?: number
  /** The maximum ratio to the plain time. */
  readonly share?: number
  /** The maximum time. */
  readonly milliseconds?: number
}

const counts = `select count(*) filter (where issue.state = 'opened') as opened,
  count(*) filter (where issue.state = 'closed') as closed`
const visible = `issue.project_id in (select project.id from project
  where project.namespace_id in (select down.namespace_id from member
    join namespace_lineage as down on down.ancestor_id = member.group_id where member.user_id = 7))`
const labelled = (name: string) => `issue.id in (select issue_id from issue_label where label_id in
  (select id from label where name = '${name}'))`
const inLabel = (name: string) => `join issue_label as l on l.issue_id = issue.id
  join label on label.id = l.label_id and label.name = '${name}'`
const has = (column: string, part: string) => `lower(issue.${column}) like '%${part}%'`
const hasAnywhere = (part: string) => `(${has('title', part)} or ${has('description', part)})`

const [rare, second, third, common] = [word(30), word(61), word(92), word(1_203)]

const statisticsList: readonly Statistic[] = [
  {
    what: 'all issues',
    plain: `${counts} from issue`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all' }),
    faster: 50,
    milliseconds: 1,
  },
  {
    what: 'all visible projects',
    plain: `${counts} from issue where ${visible}`,
    ours: (_, user) => user.issueStatistics.get({ scope: 'all' }),
    faster: 50,
    milliseconds: 1,
  },
  {
    what: 'one project',
    plain: `${counts} from issue where project_id = ${busiest}`,
    ours: (_, user) => user.issueStatistics.get({ project: busiest }),
  },
  {
    what: 'one label',
    plain: `${counts} from issue ${inLabel('label 1')}`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all', labels: ['label 1'] }),
    share: 0.1,
  },
  {
    what: 'two labels',
    plain: `${counts} from issue ${inLabel('label 1')} where ${labelled('label 5')}`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all', labels: ['label 1', 'label 5'] }),
    share: 0.5,
  },
  {
    what: 'two labels, visible projects',
    plain: `${counts} from issue ${inLabel('label 1')} where ${labelled('label 5')} and ${visible}`,
    ours: (_, user) => user.issueStatistics.get({ scope: 'all', labels: ['label 1', 'label 5'] }),
    share: 0.5,
  },
  {
    what: 'assignee and milestone',
    plain: `${counts} from issue join issue_assignee as a on a.issue_id = issue.id and a.user_id = 1
      where issue.milestone_id in (select id from milestone where title = 'milestone 1')`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all', assigneeUsername: ['user1'], milestone: 'milestone 1' }),
  },
  {
    what: 'one author',
    plain: `${counts} from issue where author_id = 1`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all', authorId: 1 }),
  },
  ...[common, rare].map((part, at) => ({
    what: `title search, ${at ? 'a rare' : 'a common'} word`,
    plain: `${counts} from issue where ${has('title', part)}`,
    ours: (admin: Session) => admin.issueStatistics.get({ scope: 'all', search: part, in: ['title'] }),
    share: 0.25,
    milliseconds: 60,
  })),
  {
    what: 'three words, title and description',
    plain: `${counts} from issue where ${[rare, second, third].map(hasAnywhere).join(' and ')}`,
    ours: (admin) => admin.issueStatistics.get({ scope: 'all', search: `${rare} ${second} ${third}` }),
    share: 0.25,
    milliseconds: 60,
  },
]

const measure = async <T>(work: () => T | Promise<T>) => {
  const start = performance.now()
  const result = await work()
  return { result, time: performance.now() - start }
}

const compare = async (statistic: Statistic, file: Sqlite.Database, admin: Session, user: Session): Promise<Line[]> => {
  const plain = file.prepare(statistic.plain)
  const variants = {
    plain: () => plain.get() as { opened: number; closed: number },
    ours: () => statistic.ours(admin, user),
  }
  const { opened, closed } = await variants.ours()
  const expected = variants.plain()
  if (expected.opened !== opened || expected.closed !== closed) throw new Error(`${statistic.what}: the counts differ`)
  const times = await alternate(['plain', 'ours'], rounds, async (name) => (await measure(variants[name])).time)
  const [plainTime, time] = [median(times.plain), median(times.ours)]
  const values = [opened + closed, plainTime, time, pairedRatio(times.ours, times.plain)]
  const { what, faster, share, milliseconds } = statistic
  const lines: Line[] = []
  if (faster) lines.push(atLeast(`${what}: times as fast`, values, pairedRatio(times.plain, times.ours), faster))
  if (share) lines.push(atMost(`${what}: share of the time`, values, values[3] as number, share))
  if (milliseconds) lines.push(atMost(`${what}: ms`, values, time, milliseconds, { unit: 'ms', reference: absolute }))
  return lines.length ? lines : [{ what, values }]
}

/** The size of the full-text index of titles and descriptions, in bytes. */
const fullTextSize = (path: string): number => {
  const file = new Database(path, { readonly: true })
  const size = file.prepare(`select sum(pgsize) from dbstat where name glob 'issue_text_*'`).pluck().get()
  file.close()
  return Number(size)
}

const triggersOf = (file: Sqlite.Database) =>
  file
    .prepare(
      `select name, sql from sqlite_master where type = 'trigger' and tbl_name in ('issue', 'issue_label', 'issue_assignee')`,
    )
    .all() as { name: string; sql: string }[]

const batch = 200

/** The time to insert an issue with two labels and an assignee into the million, with and without triggers. */
const measureInserts = async (path: string): Promise<Table> => {
  const file = new Database(path)
  file.pragma('synchronous = normal')
  file.pragma('foreign_keys = on')
  const triggers = triggersOf(file)
  const enabled = { all: triggers, counters: triggers.filter(({ name }) => !/title|text/.test(name)), none: [] }
  const insert = file.transaction((round: number) => {
    for (let at = 0; at < batch; at++) {
      const id = 2_000_000 + round * batch + at
      file
        .prepare(`insert into issue (id, iid, project_id, author_id, title, description, state, confidential, created_at,
          updated_at) values (?, ?, ?, 3, 'The start page is slow', 'It takes four seconds', 'opened', 0, '2026', '2026')`)
        .run(id, id, 1 + (at % 50))
      for (const label of [1, 2]) file.prepare('insert into issue_label values (?, ?)').run(id, label)
      file.prepare('insert into issue_assignee values (?, 5)').run(id)
    }
  })
  let round = 0
  const names = ['none', 'counters', 'all'] as const
  const times = await alternate(names, rounds, async (name) => {
    for (const trigger of triggers) file.exec(`drop trigger if exists ${trigger.name}`)
    for (const { sql } of enabled[name]) file.exec(sql)
    return ((await measure(() => insert(round++))).time * 1_000) / batch
  })
  file.close()
  const line = (what: string, name: (typeof names)[number]): Line => ({
    what,
    values: [median(times[name]), pairedRatio(times[name], times.none)],
  })
  return {
    title: 'Inserting an issue with two labels and an assignee into 1,000,000, by SQL',
    columns: ['us', 'ratio'],
    lines: [
      line('no triggers', 'none'),
      line('counters and narrow rows', 'counters'),
      line('and full-text indexes', 'all'),
    ],
  }
}

/** Statistics of a million issues, compared with hand-written SQL over plain indexes. */
export async function statistics(): Promise<Table[]> {
  const { ours, plain, tables } = await createMillionIssues()
  const platform = createPlatform(sqlite(ours, { durability: 'process' }))
  const file = new Database(plain, { readonly: true })
  file.pragma('cache_size = -65536')
  const lines: Line[] = []
  for (const statistic of statisticsList) {
    lines.push(...(await compare(statistic, file, platform.as({ system: 'bench' }), platform.as({ user: reader }))))
  }
  file.close()
  await platform.close()
  const bytes = statSync(ours).size
  const titlesOnly = bytes - fullTextSize(ours)
  lines.push(
    atMost(
      'file size with the title index only: times the tables',
      ['', '', '', titlesOnly / tables],
      titlesOnly / tables,
      2.3,
      { reference: 'the tables without indexes' },
    ),
  )
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)
  return [
    {
      title: 'Issue statistics over 1,000,000 issues',
      reference: 'SQL by hand over plain indexes, on the same rows',
      columns: ['issues', 'plain ms', 'ours ms', 'ratio'],
      lines,
      notes: [
        `Tables alone ${mebibytes(tables)} MiB, with plain indexes ${mebibytes(statSync(plain).size)} MiB; the data file ` +
          `with counters, indexes and the title index ${mebibytes(titlesOnly)} MiB, with both full-text indexes ${mebibytes(bytes)} MiB.`,
      ],
    },
    await measureInserts(ours),
  ]
}
