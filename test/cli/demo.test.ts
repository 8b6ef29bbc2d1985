import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const shell = promisify(execFile)

const paste = async (line: string) => JSON.parse((await shell('sh', ['-c', line])).stdout) as unknown

const linesOf = (screen: string) => screen.split('\n').filter((line) => line.startsWith('curl '))

it('adds the demo data, prints its users and working example requests, and keeps changes on the second start', async () => {
  const first = await serving(['--demo', '--data', 'demo.db'])
  const { stdout } = first.output
  const users = /user +role +token\n([\s\S]+?)\n\n/.exec(stdout)?.[1]?.split('\n') ?? []
  expect(users.map((line) => line.trim().split(/ {2,}/))).toEqual(
    expect.arrayContaining([
      ['root', 'administrator', 'root-token'],
      ['alice', 'owner of acme', 'alice-token'],
      ['dave', 'guest of acme/web', 'dave-token'],
      ['mallory', 'no memberships', 'mallory-token'],
    ]),
  )
  for (const line of users) {
    const [username, , token] = line.trim().split(/ {2,}/) as [string, string, string]
    expect([username, (await call(first.url, '/projects/acme%2Fweb/labels', token)).status]).toEqual([username, 200])
  }
  const [list, create, notMember] = linesOf(stdout) as [string, string, string]
  expect(await paste(list)).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'bug' })]))
  expect(await paste(create)).toMatchObject({ name: 'idea', color: '#008080' })
  expect(await paste(notMember)).toMatchObject({ message: '404 Project Not Found' })
  expect(stdout).toContain(`data in ${join(folder, 'demo.db')}, seeded with the demo data\n`)
  expect((await first.stop()).code).toBe(0)

  const second = await serving(['--demo', '--data', 'demo.db'])
  const again = second.output.stdout
  expect(again).toContain(`data in ${join(folder, 'demo.db')}, unchanged;`)
  const cells = (screen: string) => /user +role[\s\S]+?\n\n/.exec(screen)?.[0]
  expect(cells(again)).toBe(cells(stdout))
  const lines = linesOf(again)
  expect(await paste(lines[0] as string)).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'idea' })]))
  // The first start has used the name of the example.
  expect(await paste(lines[1] as string)).toMatchObject({ name: 'idea-2' })
  await second.stop()
})

it('does not add the demo data to other data, and reports it', async () => {
  expect((await forgelet(['user', 'create', '--username', 'ann', '--data', 'own.db'])).code).toBe(0)
  const { url, output, stop } = await serving(['--demo', '--data', 'own.db'])
  expect(output.stdout).toContain('This is not the demo data.')
  expect(linesOf(output.stdout)).toEqual([])
  expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(401)
  await stop()
})

it('adds the demo data once if two processes start together', async () => {
  const both = await Promise.all([1, 2].map(() => serving(['--demo', '--data', 'together.db'])))
  const seeded = both.map(({ output }) => output.stdout.includes('seeded with'))
  expect(seeded.filter(Boolean)).toHaveLength(1)
  for (const { url, stop } of both) {
    expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(200)
    await stop()
  }
})
