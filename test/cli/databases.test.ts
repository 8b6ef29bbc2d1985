import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { dialect } from '../world.ts'
import { call, forgelet, serving } from './command-line.ts'

/** Arguments that name a database of this run, and what the command line calls it. */
const fresh = async () => {
  const url = inject('postgresUrl')
  if (url === undefined) return { args: ['--data', 'both.db'], named: /\/both\.db\b/ }
  const name = `cli_${process.pid}`
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { args: ['--database', `${url}/${name}`], named: new RegExp(`PostgreSQL ${name} at 127\\.0\\.0\\.1:\\d+,`) }
}

it(`keeps everything on ${dialect} from one process to the next`, async () => {
  const { args, named } = await fresh()
  expect(await forgelet(['user', 'create', '--username', 'zoe', ...args])).toMatchObject({ code: 0 })
  const token = (await forgelet(['token', 'create', '--user', 'zoe', ...args])).stdout.trim()
  expect(await forgelet(['seed', 'demo', ...args])).toMatchObject({ code: 0 })
  for (const expected of ['idea', 'idea-2']) {
    const { url, output, stop } = await serving(['--demo', ...args])
    expect(output.stdout).toMatch(named)
    expect(output.stdout).not.toContain('forgelet:forgelet')
    expect(output.stdout).toContain(`-d name=${expected} `)
    const made = await call(url, '/projects/acme%2Fweb/labels', 'alice-token', { name: expected, color: 'teal' })
    expect(made.status).toBe(200)
    expect((await call(url, '/projects/acme%2Fweb/labels', token)).status).toBe(200)
    expect((await stop()).code).toBe(0)
  }
})
