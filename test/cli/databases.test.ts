import { expect, inject, it } from 'vitest'
import { createDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'
import { call, forgelet, serving } from './command-line.ts'

/** The arguments for a new database, and its name in the output. */
const fresh = async () => {
  const url = inject('postgresUrl')
  if (url === undefined) return { args: ['--data', 'both.db'], named: /\/both\.db\b/ }
  const name = `cli_${process.pid}`
  const database = await createDatabase(url, name)
  return { args: ['--database', database], named: new RegExp(`PostgreSQL ${name} at 127\\.0\\.0\\.1:\\d+,`) }
}

it(`persists data between processes on ${dialect}`, async () => {
  const { args, named } = await fresh()
  expect(await forgelet(['user', 'create', '--username', 'zoe', ...args])).toMatchObject({ code: 0 })
  const token = (await forgelet(['token', 'create', '--user', 'zoe', ...args])).stdout.trim()
  expect(await forgelet(['seed', 'demo', ...args])).toMatchObject({ code: 0 })
  for (const expected of ['idea', 'idea-2']) {
    const { url, output, stop } = await serving(['--demo', ...args])
    expect(output.stdout).toMatch(named)
    expect(output.stdout).not.toContain('forgelet:forgelet')
    expect(output.stdout).toContain(`-d name=${expected} `)
    const created = await call(url, '/projects/acme%2Fweb/labels', 'alice-token', { name: expected, color: 'teal' })
    expect(created.status).toBe(200)
    expect((await call(url, '/projects/acme%2Fweb/labels', token)).status).toBe(200)
    expect((await stop()).code).toBe(0)
  }
})
