/**
 * `world` for tests to which the SQL dialect makes no difference: of clients, parsing, sockets, git and files, and those whose
 * statements run on PostgreSQL in other files, except plain ones. Files that import this file instead of `world.ts` run on SQLite
 * only.
 */
export { emptyStore, world } from './world.ts'
