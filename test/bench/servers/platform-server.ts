import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'

/** The platform's server with a data file. Answers each message with the number of statements prepared so far. */

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
const { prepare } = Database.prototype
let prepared = 0
Database.prototype.prepare = function (this: Sqlite.Database, text: string) {
  prepared++
  return prepare.call(this, text)
} as typeof prepare

const { createPlatform, sqlite } = await import('@forgelet/core')
const { serve } = await import('@forgelet/http')

const [path, durability, driver = 'better-sqlite3'] = process.argv.slice(2) as [
  string,
  'power' | 'process',
  ('better-sqlite3' | 'node:sqlite')?,
]
const platform = createPlatform(sqlite(path, { durability, driver, groupCommit: true }))
const { url } = await serve(platform, { port: 0 })

process.on('message', () => process.send?.({ prepared }))
process.send?.({ port: Number(new URL(url).port) })
