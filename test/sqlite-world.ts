/**
 * `world` for tests to which the SQL dialect makes no difference: of clients, parsing, sockets, git and files, and tests with
 * statements that other files run on PostgreSQL, except plain ones. Files that import this file instead of `world.ts` run on SQLite
 * only.
 */
export { emptyStore, world } from './world.ts'
