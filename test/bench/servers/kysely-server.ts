import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { countedRows, prefix, readPage, StatusError, send, sendPage, shape } from './hand-replies.ts'

/**
 * A page of labels as an application with Kysely usually implements it: each request builds its queries and runs them with the
 * driver of the library. It makes the same checks and sends the same reply as the server written by hand.
 */

const [path] = process.argv.slice(2) as [string]

const file = new Database(path)
for (const setting of ['busy_timeout = 20', 'journal_mode = wal', 'synchronous = normal', 'foreign_keys = on']) {
  file.pragma(setting)
}

// biome-ignore lint/suspicious/noExplicitAny: the types of the tables do not matter here
const db = new Kysely<any>({ dialect: new SqliteDialect({ database: file }) })

const authorize = async ({ headers }: IncomingMessage, id: number) => {
  const digest = hash('sha256', String(headers['private-token']), 'hex')
  const today = new Date().toISOString().slice(0, 10)
  const token = await db
    .selectFrom('personal_access_token as t')
    .innerJoin('user as u', 'u.id', 't.user_id')
    .where('t.digest', '=', digest)
    .select(['u.id', 'u.state', 'u.admin', 'u.external', 't.scopes', 't.expires_at', 't.revoked_at'])
    .executeTakeFirst()
  if (!token || token.revoked_at !== null || (token.expires_at !== null && token.expires_at <= today)) {
    throw new StatusError(401)
  }
  const scopes = JSON.parse(token.scopes) as string[]
  if (token.state === 'blocked' || !(scopes.includes('api') || scopes.includes('read_api'))) throw new StatusError(403)
  const project = await db
    .selectFrom('project')
    .where('id', '=', id)
    .select(['id', 'namespace_id', 'visibility'])
    .executeTakeFirst()
  if (!project) throw new StatusError(404)
  const space = project.namespace_id as number
  const member = db
    .selectFrom('member')
    .where('member.user_id', '=', token.id)
    .where((eb) => eb.or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', today)]))
  const shared = member
    .innerJoin('namespace_lineage as invited', 'invited.ancestor_id', 'member.group_id')
    .innerJoin('share', 'share.with_group_id', 'invited.namespace_id')
    .where((eb) => eb.or([eb('share.expires_at', 'is', null), eb('share.expires_at', '>', today)]))
    .select(sql<number>`min(member.access_level, share.access_level)`.as('level'))
  const { level } = await db
    .selectFrom(
      member
        .innerJoin('namespace_lineage as up', 'up.ancestor_id', 'member.group_id')
        .where('up.namespace_id', '=', space)
        .select('member.access_level as level')
        .unionAll(
          shared
            .innerJoin('namespace_lineage as up', 'up.ancestor_id', 'share.group_id')
            .where('up.namespace_id', '=', space),
        )
        .unionAll(member.where('member.project_id', '=', id).select('member.access_level as level'))
        .unionAll(shared.where('share.project_id', '=', id))
        .unionAll(
          db
            .selectFrom('namespace')
            .where('id', '=', space)
            .where('owner_id', '=', token.id)
            .select(sql<number>`50`.as('level')),
        )
        .as('levels'),
    )
    .select((eb) => eb.fn.max('level').as('level'))
    .executeTakeFirstOrThrow()
  const isVisible =
    project.visibility === 'public' ||
    (level ?? 0) >= 10 ||
    token.admin === 1 ||
    (project.visibility === 'internal' && token.external === 0)
  if (!isVisible) throw new StatusError(404)
  return { user: token.id as number, space }
}

const labelsOf = (id: number, space: number) =>
  db
    .selectFrom('label')
    .where((eb) =>
      eb.or([
        eb('label.project_id', '=', id),
        eb(
          'label.group_id',
          'in',
          eb.selectFrom('namespace_lineage').where('namespace_id', '=', space).select('ancestor_id'),
        ),
      ]),
    )

const list = async (request: IncomingMessage, response: ServerResponse, id: number, start: number) => {
  const { user, space } = await authorize(request, id)
  const { page, size } = readPage(request.url as string)
  const { total } = await db
    .selectFrom(
      labelsOf(id, space)
        .select('label.id')
        .limit(countedRows + 1)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await labelsOf(id, space)
    .leftJoin('label_priority as priority', (join) =>
      join.onRef('priority.label_id', '=', 'label.id').on('priority.project_id', '=', id),
    )
    .leftJoin('label_subscription as subscription', (join) =>
      join
        .onRef('subscription.label_id', '=', 'label.id')
        .on('subscription.project_id', '=', id)
        .on('subscription.user_id', '=', user),
    )
    .select(['label.id', 'label.name', 'label.color', 'label.description', 'label.project_id'])
    .select(['priority.priority', 'subscription.user_id'])
    .orderBy('label.name')
    .orderBy('label.id')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const labels = rows.map((row) =>
    shape([row.id, row.name, row.color, row.description, row.project_id, row.priority, row.user_id]),
  )
  sendPage(response, start, { origin, id, page, size, total }, labels)
}

let origin = ''
const server = createServer((request, response) => {
  const start = performance.now()
  const id = Number.parseInt((request.url as string).slice(prefix.length), 10)
  list(request, response, id, start).catch((error: unknown) => {
    send(response, start, error instanceof StatusError ? error.status : 500, '{"message":"refused"}', [])
  })
})
server.maxRequestsPerSocket = 1_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  process.send?.({ port })
})
