import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'

/** Starts one PostgreSQL server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, remove } = await startPostgresServer()
  project.provide('postgresUrl', url)
  return remove
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string | undefined
    /** Set if tables have other names: a prefix on SQLite, a schema on PostgreSQL. */
    naming: string | undefined
  }
}
