/**
 * `world` for tests of clients, parsing and sockets, where the SQL dialect makes no difference: the tests of operations and routes
 * run on both databases. Files that import this file instead of `world.ts` run on SQLite only.
 */
export { emptyStore, world } from './world.ts'
