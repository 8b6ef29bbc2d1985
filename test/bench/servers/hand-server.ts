import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import {
  countedRows,
  prefix,
  readPage,
  renderDescription,
  StatusError,
  send,
  sendPage,
  shape,
  textColor,
} from './hand-replies.ts'

/**
 * The baseline: two hand-written, optimized routes on node:http and better-sqlite3. It implements exactly what the platform does
 * for these requests: token, project, access level through groups and shares, count, page and all headers.
 */

const [path, durability] = process.argv.slice(2) as [string, 'power' | 'process']

const open = () => {
  const file = new Database(path)
  file.pragma('busy_timeout = 20')
  file.pragma(`synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.pragma('foreign_keys = on')
  file.pragma('trusted_schema = off')
  file.pragma('cell_size_check = on')
  file.pragma('journal_mode = wal')
  return file
}

const activeMember = 'member.user_id = ? and (member.expires_at is null or member.expires_at > ?)'
const activeShare = '(share.expires_at is null or share.expires_at > ?)'
const lesser =
  'case when member.access_level < share.access_level then member.access_level else share.access_level end as level'

const levelText = `
  select max(level) from (
    select member.access_level as level from namespace_lineage up cross join member
      where up.namespace_id = ? and member.group_id = up.ancestor_id and ${activeMember}
    union all
    select ${lesser} from namespace_lineage up cross join share cross join namespace_lineage invited cross join member
      where up.namespace_id = ? and share.group_id = up.ancestor_id and ${activeShare}
      and invited.namespace_id = share.with_group_id and member.group_id = invited.ancestor_id and ${activeMember}
    union all
    select access_level from member where project_id = ? and ${activeMember}
    union all
    select ${lesser} from share cross join namespace_lineage invited cross join member
      where share.project_id = ? and ${activeShare}
      and invited.namespace_id = share.with_group_id and member.group_id = invited.ancestor_id and ${activeMember}
    union all
    select 50 from namespace where id = ? and owner_id = ?
  )`

const inherited = 'namespace_lineage up cross join label where up.namespace_id = ? and label.group_id = up.ancestor_id'

/** Selects the ids of the page from two sorted indexes, then reads only these rows. */
const pageText = `
  select label.id, label.name, label.color, label.description, label.project_id, priority.priority, subscription.user_id
  from (
    select id, name from label where project_id = ?
    union all select label.id, label.name from ${inherited}
    order by name, id limit ? offset ?
  ) chosen cross join label on label.id = chosen.id
  left join label_priority priority on priority.label_id = label.id and priority.project_id = ?
  left join label_subscription subscription
    on subscription.label_id = label.id and subscription.project_id = ? and subscription.user_id = ?
  order by chosen.name, chosen.id`

/** SQLite replans a join with a bare `?` for each binding; a unary plus keeps the query plan. */
const withStablePlan = (text: string) => text.replaceAll('?', '+?')

const statements = (file: Database.Database) => ({
  token: file
    .prepare<unknown[], unknown[]>(
      withStablePlan(`select u.id, u.state, u.admin, u.external, t.scopes, t.expires_at, t.revoked_at
       from personal_access_token t join user u on u.id = t.user_id where t.digest = ?`),
    )
    .raw(true),
  project: file
    .prepare<unknown[], unknown[]>('select id, namespace_id, visibility, archived from project where id = ?')
    .raw(true),
  level: file.prepare<unknown[], number | null>(withStablePlan(levelText)).pluck(true),
  count: file
    .prepare<unknown[], number>(
      withStablePlan(`select (select count(*) from (select 1 from label where project_id = ? limit ${countedRows + 1}))
       + (select count(*) from (select 1 from ${inherited} limit ${countedRows + 1}))`),
    )
    .pluck(true),
  page: file.prepare<unknown[], unknown[]>(withStablePlan(pageText)).raw(true),
  taken: file.prepare<unknown[], unknown[]>(
    withStablePlan(`select id from label where project_id = ? and name = ?
     union all select label.id from ${inherited} and label.name = ?`),
  ),
})

const reader = open()
const writer = open()
const reading = statements(reader)
const writing = {
  ...statements(writer),
  begin: writer.prepare('begin immediate'),
  commit: writer.prepare('commit'),
  rollback: writer.prepare('rollback'),
  insert: writer.prepare(
    `insert into label (project_id, group_id, name, color, description, created_at, updated_at)
     values (?, null, ?, ?, ?, ?, ?)`,
  ),
}
type Statements = typeof reading

/** Authenticates the request and checks the access level on the project. Throws a `StatusError` if either fails. */
const authorize = (use: Statements, headers: IncomingMessage['headers'], id: number, now: string, writes: boolean) => {
  const token = headers['private-token']
  if (token === undefined) throw new StatusError(401)
  const row = use.token.get(hash('sha256', token as string, 'hex')) as
    | [number, string, number, number, string, string | null, string | null]
    | undefined
  const today = now.slice(0, 10)
  if (!row || row[6] !== null || (row[5] !== null && row[5] <= today)) throw new StatusError(401)
  const [user, state, admin, external, scopes] = row
  if (state === 'blocked') throw new StatusError(403)
  const tokenScopes = JSON.parse(scopes) as string[]
  if (!tokenScopes.includes('api') && (writes || !tokenScopes.includes('read_api'))) throw new StatusError(403)
  const project = use.project.get(id) as [number, number, string, number] | undefined
  if (!project) throw new StatusError(404)
  const [, space, visibility, archived] = project
  const level =
    use.level.get(
      space,
      user,
      today,
      space,
      today,
      user,
      today,
      id,
      user,
      today,
      id,
      today,
      user,
      today,
      space,
      user,
    ) ?? 0
  const isVisible =
    visibility === 'public' || level >= 10 || admin === 1 || (visibility === 'internal' && external === 0)
  if (!isVisible) throw new StatusError(404)
  if (writes && ((level < 20 && admin !== 1) || archived)) throw new StatusError(403)
  return { user, space }
}

const list = (request: IncomingMessage, response: ServerResponse, id: number, start: number) => {
  const { user, space } = authorize(reading, request.headers, id, new Date().toISOString(), false)
  const { page, size } = readPage(request.url as string)
  const total = reading.count.get(id, space) as number
  const rows = reading.page.all(id, space, size, (page - 1) * size, id, id, user)
  sendPage(response, start, { origin, id, page, size, total }, rows.map(shape))
}

const insert = (request: IncomingMessage, id: number, input: { name: string; color: string; description?: string }) => {
  const now = new Date().toISOString()
  const name = input.name.trim()
  if (name === '' || name.length > 255 || name.includes(',') || !/^#[0-9a-f]{6}$/i.test(input.color))
    throw new StatusError(400)
  const description = input.description ?? null
  writing.begin.run()
  try {
    const { space } = authorize(writing, request.headers, id, now, true)
    if (writing.taken.get(id, name, space, name)) throw new StatusError(409)
    const { lastInsertRowid } = writing.insert.run(id, name, input.color, description, now, now)
    writing.commit.run()
    return {
      id: Number(lastInsertRowid),
      name,
      color: input.color,
      description,
      description_html: renderDescription(description),
      open_issues_count: 0,
      closed_issues_count: 0,
      open_merge_requests_count: 0,
      subscribed: false,
      text_color: textColor(input.color),
      priority: null,
      is_project_label: true,
    }
  } catch (error) {
    writing.rollback.run()
    throw error
  }
}

const create = (request: IncomingMessage, response: ServerResponse, id: number, start: number) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    catchStatus(response, start, () => {
      const label = insert(request, id, JSON.parse(text))
      send(response, start, 200, JSON.stringify(label), [])
    })
  })
}

const catchStatus = (response: ServerResponse, start: number, work: () => void) => {
  try {
    work()
  } catch (error) {
    send(response, start, error instanceof StatusError ? error.status : 500, '{"message":"refused"}', [])
  }
}

const server = createServer((request, response) => {
  const start = performance.now()
  const url = request.url as string
  const end = url.indexOf('/', prefix.length)
  const id = Number(url.slice(prefix.length, end))
  if (!url.startsWith(prefix) || !url.startsWith('/labels', end)) return send(response, start, 404, '{}', [])
  if (request.method === 'POST') return create(request, response, id, start)
  catchStatus(response, start, () => list(request, response, id, start))
})

server.maxRequestsPerSocket = 1_000

let origin = ''
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  process.send?.({ port })
})
