import { createRequire } from 'node:module'
import type { Store } from '@forgelet/core'
import { sqlite } from '@forgelet/core'
import type Sqlite from 'better-sqlite3'
import { preparedQuery } from '../../../packages/core/src/kernel/prepared-query.ts'
import { alternate, median, microseconds, pairedRatio } from '../measure.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { world } from '../temporary-files.ts'
import { readWorldImage } from '../world-image.ts'

/** The data layer compared with hand-written better-sqlite3 code on the same in-memory image, without HTTP or permissions. */

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

const rounds = 15

interface Comparison {
  readonly what: string
  /** The maximum ratio of our time to the hand-written code. */
  readonly most: number
  readonly calls: number
  readonly hand: (at: number) => unknown
  readonly ours: (at: number) => Promise<unknown>
}

const pointRead = preparedQuery((db, { id }: { id: number }) =>
  db.selectFrom('user').where('id', '=', id).select(['id', 'username', 'name', 'state']),
)

const labelColumns = ['id', 'projectId', 'groupId', 'name', 'color', 'description', 'createdAt', 'updatedAt'] as const
const columns = 'id, project_id, group_id, name, color, description, created_at, updated_at'

const fixedList = preparedQuery((db, at: { project: number; offset: number }) =>
  db
    .selectFrom('label')
    .where('projectId', '=', at.project)
    .orderBy('name')
    .limit(20)
    .offset(at.offset)
    .select(labelColumns),
)

/** Maps raw rows to objects by hand, which is the fastest method of better-sqlite3. */
const labelOf = (row: readonly unknown[]) => ({
  id: row[0],
  projectId: row[1],
  groupId: row[2],
  name: row[3],
  color: row[4],
  description: row[5],
  createdAt: row[6],
  updatedAt: row[7],
})

interface LabelFilter {
  readonly project: number
  readonly color?: string
  readonly described?: boolean
}

const dynamicList = (store: Store, { project, color, described }: LabelFilter) =>
  store.read(({ db }) => {
    let query = db.selectFrom('label').where('projectId', '=', project)
    if (color !== undefined) query = query.where('color', '=', color)
    if (described) query = query.where('description', 'is not', null)
    return query.orderBy('name').limit(20).select(labelColumns).execute()
  })

const insertText = `insert into label (project_id, group_id, name, color, description, created_at, updated_at)
  values (?, null, ?, '#428BCA', null, ?, ?)`
const now = '2026-11-21T12:00:00.000Z'

const insertLabel = preparedQuery((db, at: { project: number; name: string; now: string }) =>
  db.insertInto('label').values({
    projectId: at.project,
    groupId: null,
    name: at.name,
    color: '#428BCA',
    description: null,
    createdAt: at.now,
    updatedAt: at.now,
  }),
)

const comparisons = (
  file: Sqlite.Database,
  store: Store,
  listed: readonly number[],
  written: readonly number[],
): Comparison[] => {
  // The plus signs keep the query plan when a value is bound, as in the statements of the data layer.
  const point = file.prepare('select id, username, name, state from user where id = ?')
  const list = file
    .prepare<unknown[], unknown[]>(
      `select ${columns} from label where project_id = +? order by name limit 20 offset +?`,
    )
    .raw(true)
  const filtered = file
    .prepare<unknown[], unknown[]>(
      `select ${columns} from label
       where project_id = +? and color = +? and description is not null order by name limit 20`,
    )
    .raw(true)
  const insert = file.prepare(insertText)
  const insertTwo = file.transaction((project: number, name: string) => {
    insert.run(project, `${name} a`, now, now)
    insert.run(project, `${name} b`, now, now)
  })
  const listedProject = (at: number) => listed[at % listed.length] as number
  const writtenProject = (at: number) => written[at % written.length] as number
  let count = 0
  return [
    {
      what: 'point read',
      most: 2,
      calls: 4_000,
      hand: (at) => point.get(1 + (at % 100)),
      ours: (at) => store.read(async (handle) => (await pointRead(handle, { id: 1 + (at % 100) }))[0]),
    },
    {
      what: 'fixed list, 20 rows of 8 columns',
      most: 1.1,
      calls: 1_000,
      hand: (at) => list.all(listedProject(at), 20 * (at % 9)).map(labelOf),
      ours: (at) =>
        store.read(async (handle) => fixedList(handle, { project: listedProject(at), offset: 20 * (at % 9) })),
    },
    {
      what: 'dynamic list, built for each call',
      most: 1.6,
      calls: 1_000,
      hand: (at) => filtered.all(listedProject(at), '#428BCA').map(labelOf),
      ours: (at) => dynamicList(store, { project: listedProject(at), color: '#428BCA', described: true }),
    },
    {
      what: 'transaction of two inserts',
      most: 2,
      calls: 1_000,
      hand: (at) => insertTwo.immediate(writtenProject(at), `hand ${++count}`),
      ours: (at) =>
        store.write(async (handle) => {
          const name = `ours ${++count}`
          await insertLabel(handle, { project: writtenProject(at), name: `${name} a`, now })
          await insertLabel(handle, { project: writtenProject(at), name: `${name} b`, now })
        }),
    },
  ]
}

/** The overhead of the data layer compared with prepared statements. */
export async function inProcess(): Promise<Table[]> {
  const { listed, written } = await world()
  const image = await readWorldImage()
  const file = new Database(image)
  file.pragma('foreign_keys = on')
  const store = sqlite(image, { durability: 'process' })
  const lines: Line[] = []
  for (const { what, most, calls, hand, ours } of comparisons(file, store, listed, written)) {
    const variants = { hand, ours }
    for (const run of [hand, ours]) await microseconds(calls * 3, run)
    const times = await alternate(['hand', 'ours'], rounds, (name) => microseconds(calls, variants[name]))
    const ratio = pairedRatio(times.ours, times.hand)
    lines.push(atMost(what, [median(times.hand), median(times.ours), ratio], ratio, most))
  }
  await store.close()
  file.close()
  return [
    {
      title: 'Data layer compared with hand-written prepared statements',
      reference: 'prepared statements of better-sqlite3 by hand',
      columns: ['by hand us', 'ours us', 'ratio'],
      lines,
    },
  ]
}
