import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform, postgres, type Store, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import Database from 'better-sqlite3'
import pg from 'pg'
import { folder } from '../cli/command-line.ts'

type Row = Readonly<Record<string, unknown>>

/** Data that several server processes open, with one folder of repositories and one of files. */
export interface SharedData {
  /** The options of `forgelet serve`. */
  readonly options: readonly string[]
  /** The path of the file or the URL of the database. */
  readonly source: string
  readonly repositories: string
  readonly files: string
  query(sql: string): Promise<readonly Row[]>
  /** Ends up to `count` sessions of other processes. Does nothing on SQLite. */
  terminateSessions(count: number): Promise<number>
  close(): Promise<void>
}

const connectPostgres = async (url: string) => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Creates the demo data with a mirror of `acme/web`. `url`: of a database; undefined for a SQLite file. */
export const createSharedData = async (url: string | undefined, mirror: string): Promise<SharedData> => {
  const path = (name: string) => join(folder, name)
  const [file, repositories, fileFolder, keyFile] = [
    'shared.db',
    'shared.repositories',
    'shared.files',
    'shared.key',
  ].map(path)
  const source = url ?? (file as string)
  const secretKey = randomBytes(32).toString('base64')
  writeFileSync(keyFile as string, `${secretKey}\n`, { mode: 0o600 })
  const places = { repositories: repositories as string, files: fileFolder as string }
  const store: Store = url === undefined ? sqlite(source) : postgres(url)
  // A SQLite file has its repositories beside it.
  const repositoryFolder = url === undefined ? `${source}.repositories` : places.repositories
  const platform = createPlatform(store, { secretKey, repositories: repositoryFolder, files: places.files })
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  await host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  await host.remoteMirrors.create({ project: 'acme/web', url: mirror, enabled: true })
  const files = [{ path: 'README.md', content: '# Web' }]
  await platform.as({ user: 'alice' }).commits.import({ project: 'acme/web', commits: [{ message: 'Start', files }] })
  await platform.close()

  const client = url === undefined ? undefined : await connectPostgres(url)
  const reader = url === undefined ? new Database(source, { readonly: true }) : undefined
  const place = url === undefined ? ['--data', source] : ['--database', url, '--repositories', repositoryFolder]
  return {
    options: [...place, '--files', places.files, '--secret-key-file', keyFile as string],
    source,
    repositories: repositoryFolder,
    files: places.files,
    query: async (sql) => (client ? (await client.query(sql)).rows : (reader?.prepare(sql).all() as Row[])),
    async terminateSessions(count) {
      if (!client) return 0
      const others = 'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      const terminated = await client.query(
        `select pg_terminate_backend(pid) from (${others} order by random() limit ${count}) as session`,
      )
      return terminated.rowCount ?? 0
    },
    async close() {
      await client?.end()
      reader?.close()
    },
  }
}
