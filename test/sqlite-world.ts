/**
 * `world` for tests of clients, parsing, sockets, git and files, where the SQL dialect makes no difference: other tests run each of their
 * statements on both databases. Files that import this file instead of `world.ts` run on SQLite only.
 */
export { emptyStore, world } from './world.ts'
