import { expect, it } from 'vitest'
import { dialect } from '../world.ts'
import { call, forgelet, serving } from './command-line.ts'
import { newData } from './data-arguments.ts'

it(`persists data between processes on ${dialect}`, async () => {
  const { args, named } = await newData()
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
