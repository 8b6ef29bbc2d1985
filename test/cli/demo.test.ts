import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const shell = promisify(execFile)

const paste = async (line: string) => JSON.parse((await shell('sh', ['-c', line])).stdout) as unknown

const linesOf = (screen: string) => screen.split('\n').filter((line) => line.startsWith('curl '))

it('plants a world, shows its cast, and calls that work when pasted; the second start finds it as it was left', async () => {
  const first = await serving(['--demo', '--data', 'demo.db'])
  const { stdout } = first.output
  const cast = /user +role +token\n([\s\S]+?)\n\n/.exec(stdout)?.[1]?.split('\n') ?? []
  expect(cast.map((line) => line.trim().split(/ {2,}/))).toEqual(
    expect.arrayContaining([
      ['root', 'administrator', 'root-token'],
      ['alice', 'owner of acme', 'alice-token'],
      ['dave', 'guest of acme/web', 'dave-token'],
      ['mallory', 'a stranger: signed in, a member of nothing', 'mallory-token'],
    ]),
  )
  for (const line of cast) {
    const [username, , token] = line.trim().split(/ {2,}/) as [string, string, string]
    expect([username, (await call(first.url, '/projects/acme%2Fweb/labels', token)).status]).toEqual([username, 200])
  }
  const [list, create, stranger] = linesOf(stdout) as [string, string, string]
  expect(await paste(list)).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'bug' })]))
  expect(await paste(create)).toMatchObject({ name: 'idea', color: '#008080' })
  expect(await paste(stranger)).toMatchObject({ message: '404 Project Not Found' })
  expect(stdout).toContain(`data in ${join(folder, 'demo.db')}, with the demo world planted just now\n`)
  expect((await first.stop()).code).toBe(0)

  const second = await serving(['--demo', '--data', 'demo.db'])
  const again = second.output.stdout
  expect(again).toContain(`data in ${join(folder, 'demo.db')}, as it was left;`)
  const cells = (screen: string) => /user +role[\s\S]+?\n\n/.exec(screen)?.[0]
  expect(cells(again)).toBe(cells(stdout))
  const lines = linesOf(again)
  expect(await paste(lines[0] as string)).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'idea' })]))
  // The name of the example has been taken meanwhile, so it shows the next one.
  expect(await paste(lines[1] as string)).toMatchObject({ name: 'idea-2' })
  await second.stop()
})

it('plants nothing into data of somebody else, and says so', async () => {
  expect((await forgelet(['user', 'create', '--username', 'ann', '--data', 'own.db'])).code).toBe(0)
  const { url, output, stop } = await serving(['--demo', '--data', 'own.db'])
  expect(output.stdout).toContain('This data is not the demo world.')
  expect(linesOf(output.stdout)).toEqual([])
  expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(401)
  await stop()
})

it('is planted once by two that start together', async () => {
  const both = await Promise.all([1, 2].map(() => serving(['--demo', '--data', 'together.db'])))
  const told = both.map(({ output }) => output.stdout.includes('planted just now'))
  expect(told.filter(Boolean)).toHaveLength(1)
  for (const { url, stop } of both) {
    expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(200)
    await stop()
  }
})
