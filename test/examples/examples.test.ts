import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fakeForge } from '@forgelet/fixtures'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort, shellBlocks } from '../docs/shell-blocks.ts'
import { root } from '../docs/snippets.ts'

const names = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const folder = join(root, 'test', 'artefacts', `examples-${process.pid}`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const textOf = (...path: readonly string[]) => readFileSync(join(root, 'examples', ...path), 'utf8')

/** A copy of an example in a temporary folder, with the same packages. */
const copyOf = (name: string) => {
  const copy = join(folder, name)
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, 'examples', name), copy, {
    recursive: true,
    filter: (source) => !source.includes('node_modules') && !source.endsWith('README.md'),
  })
  symlinkSync(join(root, 'examples', name, 'node_modules'), join(copy, 'node_modules'))
  // Replaces npm with `node --run`, which takes a third of the time.
  writeFileSync(join(copy, 'npm'), `#!/bin/sh\nexec '${process.execPath}' --run "$@"\n`, { mode: 0o755 })
  return copy
}

/** Runs the commands in the README of an example, in a copy of it. Returns the output. */
const runReadme = async (name: string, environment: Readonly<Record<string, string>> = {}) => {
  const copy = copyOf(name)
  const port = await freePort()
  const commands = shellBlocks(`examples/${name}/README.md`).join('').replaceAll('3000', String(port))
  // Waits for a server that is started in the background.
  const wait = `curl -so .answer --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/`
  const script = commands.replace(/^npm start &$/m, `npm start >.address &\n${wait}`)
  const cleanup = `trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT`
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH: `${copy}:${PATH}`, HOME: copy, PORT: String(port), NODE_COMPILE_CACHE, ...environment }
  const options = { cwd: copy, env, timeout: 100_000 }
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -em\n${cleanup}\n${script}`], options)
  return stdout
}

test.each(names)('%s is a separate package with a short README', (name) => {
  const { scripts, ...manifest } = JSON.parse(textOf(name, 'package.json'))
  expect(manifest).toMatchObject({ name: `@forgelet/example-${name}`, private: true, type: 'module' })
  expect(scripts.start).toEqual(expect.any(String))
  expect(textOf(name, 'README.md').split('\n').length).toBeLessThan(45)
  expect(textOf('README.md')).toContain(`[${name}](${name})`)
  const files = readdirSync(join(root, 'examples', name)).filter((file) => file.endsWith('.ts'))
  const isDescribed = (file: string) =>
    /\.(test|config)\.ts$/.test(file) || textOf(name, 'README.md').includes(`](${file})`)
  expect(files.filter((file) => !isDescribed(file))).toEqual([])
})

describe('the commands in the README succeed', () => {
  test('embed-in-an-app', async () => {
    const printed = await runReadme('embed-in-an-app')
    expect(printed).toContain('Hello kim, pending to-do items: 0\n')
    expect(JSON.parse(printed.split('\n').at(-1) as string)).toMatchObject({ id: 1, username: 'kim' })
  }, 100_000)

  test('express-mount', async () => {
    const printed = await runReadme('express-mount')
    expect(printed).toContain('"name":"urgent"')
    expect(printed).toContain('"path_with_namespace":"bob/notes"')
    expect(printed).toContain('"username":"carol"')
  }, 100_000)

  test('desktop-single-user', async () => {
    const data = join(folder, 'desktop-data')
    const printed = await runReadme('desktop-single-user', { XDG_DATA_HOME: data })
    expect(printed).toBe('Task 1\n1 Water the plants #home\nTask 1 is done\n')
    const { openTasks } = await import('../../examples/desktop-single-user/tasks.ts')
    const tasks = await openTasks(join(data, 'forgelet-tasks', 'tasks.db'))
    expect(await tasks.list()).toEqual([])
    await tasks.add('Read', ['home'])
    await tasks.add('Write', [])
    expect(await tasks.list('home')).toEqual(['2 Read #home'])
    await tasks.close()
  }, 100_000)

  test('test-backend-for-a-bot', async () => {
    await using forge = await fakeForge({ port: 0 })
    const project = 'acme/web'
    const printed = await runReadme('test-backend-for-a-bot', { GITLAB_URL: forge.url, NO_COLOR: '1' })
    expect(printed).toMatch(/Tests +4 passed/)
    expect(printed).toMatch(/#5 The footer is broken: bug\n$/)
    const { labels } = await forge.as('dave').issues.get({ project, issue: 5 })
    expect(labels).toEqual(['bug'])
  }, 100_000)

  test('merge-request-bot', async () => {
    await using forge = await fakeForge({ port: 0 })
    const files = [{ path: 'README.md', content: '# Web  \n' }]
    await forge.as('alice').commits.import({ project: 'acme/web', commits: [{ message: 'Begin', files }] })
    const printed = await runReadme('merge-request-bot', { GITLAB_URL: forge.url, NO_COLOR: '1' })
    expect(printed).toMatch(/Tests +4 passed/)
    expect(printed).toMatch(/\/acme\/web\/-\/merge_requests\/\d+\n$/)
  }, 100_000)

  test('webhook-bot', async () => {
    await using forge = await fakeForge({ port: 0, hooks: 'network' })
    const printed = await runReadme('webhook-bot', { GITLAB_URL: forge.url, NO_COLOR: '1' })
    expect(printed).toMatch(/Tests +3 passed/)
    const { items } = await forge.host.hooks.list({ project: 'acme/web' })
    expect(items).toMatchObject([{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), mergeRequestsEvents: true }])
  }, 100_000)

  test('sign-in-app', async () => {
    const printed = await runReadme('sign-in-app', { NO_COLOR: '1' })
    expect(printed).toMatch(/Tests +3 passed/)
    expect(printed).toMatch(/Sign in with Forgelet<\/a>\n$/)
  }, 100_000)

  test('scim-provisioning', async () => {
    const printed = await runReadme('scim-provisioning')
    expect(printed.split('\n')).toEqual([
      'Day 1: created ben, created chris',
      'Day 2: deactivated ben, deleted p-3',
      'Day 3: created ben',
      'alice ben',
      'alice ben',
      '',
    ])
  }, 100_000)
})

test('an Express session authenticates its user, and a wrong password creates no session', async () => {
  const { createApp } = await import('../../examples/express-mount/app.ts')
  await using forge = await fakeForge()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app = createApp(forge.platform, url, async (_username, password) => password === 'right')
  const server = app.listen(port, '127.0.0.1')
  const signIn = (username: string, password: string) =>
    fetch(`${url}/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
  try {
    expect((await signIn('bob', 'wrong')).status).toBe(401)
    const cookie = (await signIn('bob', 'right')).headers.get('set-cookie')?.split(';')[0] ?? ''
    const notes = (headers: HeadersInit = {}) => fetch(`${url}/forge/api/v4/projects/bob%2Fnotes/labels`, { headers })
    const mine = await notes({ cookie })
    expect([mine.status, mine.headers.get('link')]).toEqual([200, expect.stringContaining(`<${url}/forge/api/v4/`)])
    expect((await notes()).status).toBe(404)
    expect((await notes({ 'private-token': 'mallory-token' })).status).toBe(404)
    expect(await (await fetch(url)).json()).not.toContain('bob/notes')
    expect(await (await fetch(url, { headers: { cookie } })).json()).toContain('bob/notes')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
