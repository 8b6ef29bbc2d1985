import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from '../support/postgres-database.ts'
import { folder } from './command-line.ts'

let count = 0

/** The arguments for new data on the database of this test project, the beginning of the names of its folders, and its name in messages. */
export const newData = async () => {
  const url = inject('postgresUrl')
  const name = `cli_${process.pid}_${++count}`
  if (url === undefined) {
    const file = join(folder, `${name}.db`)
    return { name: `${name}.db`, args: ['--data', file], named: new RegExp(`/${name}\\.db\\b`) }
  }
  const key = join(folder, `${name}.key`)
  writeFileSync(key, randomBytes(32).toString('base64'))
  const args = [
    '--database',
    await createDatabase(url, name),
    ...['--repositories', join(folder, `${name}.repositories`), '--files', join(folder, `${name}.files`)],
    ...['--secret-key-file', key],
  ]
  return { name, args, named: new RegExp(`PostgreSQL ${name} at 127\\.0\\.0\\.1:\\d+,`) }
}
