import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

test('the demo repositories are beside the data file, readable by their owner only', async () => {
  const { url, stop } = await serving(['--demo', '--data', './code.db'])
  const { status, body } = await call(url, '/projects/acme%2Fweb/repository/contributors', 'bob-token')
  expect(status).toBe(200)
  expect((body as { name: string }[]).map(({ name }) => name).sort()).toEqual([
    'Alice Liddell',
    'Bob Builder',
    'Carol Danvers',
  ])
  expect((await stop()).code).toBe(0)
  const place = join(folder, 'code.db.repositories')
  expect(readdirSync(place)).toHaveLength(1)
  if (process.platform !== 'win32') expect(statSync(place).mode & 0o777).toBe(0o700)
})

test.each([
  ['--repositories', './elsewhere'],
  ['--database-lock-timeout', '1'],
])('%s requires PostgreSQL', async (option, value) => {
  const { code, stderr } = await forgelet(['serve', '--data', './code.db', option, value])
  expect(code).toBe(2)
  expect(stderr).toContain(`${option} requires --database`)
})

test('a local repository can be imported into a project once', async () => {
  const work = join(folder, 'work')
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', work])
  writeFileSync(join(work, 'README.md'), '# Brought along\n')
  const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', ['-C', work, 'add', '.'])
  execFileSync('git', ['-C', work, ...identity, 'commit', '--quiet', '--message', 'The first'])
  const head = execFileSync('git', ['-C', work, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
  const data = ['--data', './import.db']
  expect((await forgelet(['seed', 'demo', ...data])).code).toBe(0)

  const first = await forgelet(['repository', 'import', 'bob/notes', './work', ...data])
  expect(first).toMatchObject({ code: 0, stdout: head })
  expect(first.stderr).toContain('bob/notes has the code of ./work, default branch trunk')
  expect(first.stderr).not.toContain('\u001b')

  const again = await forgelet(['repository', 'import', 'bob/notes', './work', ...data])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('has a repository already')
  const missing = await forgelet(['repository', 'import', 'bob/notes', './nowhere', ...data])
  expect(missing.code).toBe(1)

  const { url, stop } = await serving(data)
  const { body } = await call(url, '/projects/bob%2Fnotes/repository/tree', 'bob-token')
  expect(body).toMatchObject([{ name: 'README.md', type: 'blob' }])
  await stop()
})
