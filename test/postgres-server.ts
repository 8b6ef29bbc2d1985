import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts'

let server: Promise<PostgresServer> | undefined
let users = 0

/**
 * The planner takes the new tables for large ones, and compiling a query or starting workers takes longer than our queries.
 * Vacuuming and analyzing them would discard the plans of all sessions.
 */
const settings = ['jit=off', 'max_parallel_workers_per_gather=0', 'autovacuum=off']

/** Starts one PostgreSQL server, which the projects of a run share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users++
  server ??= startPostgresServer(settings)
  const { url, remove } = await server
  project.provide('postgresUrl', url)
  return async () => {
    users--
    if (users > 0) return
    server = undefined
    await remove()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | undefined
    /** Set if tables have other names: a prefix on SQLite, a schema on PostgreSQL. */
    naming: string | undefined
  }
}
