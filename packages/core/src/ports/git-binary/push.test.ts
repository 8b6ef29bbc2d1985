import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewCommit, Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'
import { commandLines } from './process-list.ts'
import { gitLines, gitText, temporaryFolder } from './sample-history.ts'

const folder = temporaryFolder()
const git = gitBinary({ pushProtocols: ['https', 'http', 'ssh', 'git', 'file'] })
const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
const password = 'pa ss/w@rd:%"x'
let server: Server
let base: string
let count = 0
let source: Repository
let target: Repository
/** Command lines of all processes of the machine while requests were served. */
let seen: string[] = []

/** A real remote: git's own HTTP program behind Basic authentication. */
const serve = (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '', 'http://x')
  if (url.pathname.startsWith('/elsewhere/')) {
    response.writeHead(302, { location: `${base}${url.pathname.slice(10)}${url.search}` }).end()
    return
  }
  if (url.pathname.startsWith('/silent/')) return
  const expected = `Basic ${Buffer.from(`robot:${password}`).toString('base64')}`
  if (request.headers.authorization !== expected) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    return
  }
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'robot',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    },
  })
  seen.push(...commandLines())
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    const headers = output
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
    response.end(output.subarray(end + 4))
  })
}

beforeAll(async () => {
  server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await git.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  count += 1
  seen = []
  source = await git.create(join(folder, `source-${count}.git`))
  target = await git.create(join(folder, `target-${count}.git`))
  gitText(target.directory, 'config', 'http.receivepack', 'true')
  await source.write([add('a'), add('b', { branch: 'topic' }), add('c', { branch: 'żółć' })])
  const commit = (await source.branch('main')) ?? ''
  await source.createTag({ name: 'v1', commit, annotation: { message: 'One', tagger: author } })
})

const add = (path: string, more: Partial<NewCommit> = {}): NewCommit => ({
  branch: 'main',
  message: path,
  author,
  files: [{ path, content: path }],
  ...more,
})
const url = () => `file://${target.directory}`
const references = (repository: Repository) => gitLines(repository.directory, 'for-each-ref')

describe('push', () => {
  test('makes the other side the same, and then has nothing to do', async () => {
    await source.updateReferences([{ name: 'refs/keep/1', from: undefined, to: await source.branch('main') }])
    const report = await source.push({ url: url() })
    expect(new Set(report.pushed)).toEqual(
      new Set(['refs/heads/main', 'refs/heads/topic', 'refs/heads/żółć', 'refs/tags/v1']),
    )
    expect(references(target)).toEqual(references(source).filter((line) => !line.includes('refs/keep')))
    expect(await source.push({ url: url() })).toEqual({ pushed: [], removed: [], divergent: [] })
  })

  test('overwrites what diverged, or leaves it alone when asked to', async () => {
    await source.push({ url: url() })
    const [foreign] = await target.write([add('theirs', { branch: 'topic' })])
    await source.write([add('ours', { branch: 'topic' }), add('more')])
    const kept = await source.push({ url: url(), keepDivergentReferences: true })
    expect(kept).toEqual({ pushed: ['refs/heads/main'], removed: [], divergent: ['refs/heads/topic'] })
    expect(await target.branch('topic')).toBe(foreign)
    expect(await target.branch('main')).toBe(await source.branch('main'))
    expect((await source.push({ url: url() })).pushed).toEqual(['refs/heads/topic'])
    expect(references(target)).toEqual(references(source))
  })

  test('a tag moved elsewhere is divergent', async () => {
    await source.push({ url: url() })
    const [other] = await source.write([add('x')])
    const tag = gitText(source.directory, 'rev-parse', 'refs/tags/v1')
    await source.updateReferences([{ name: 'refs/tags/v1', from: tag, to: other }])
    const kept = await source.push({ url: url(), keepDivergentReferences: true })
    expect(kept.divergent).toEqual(['refs/tags/v1'])
    expect((await source.push({ url: url() })).pushed).toEqual(['refs/tags/v1'])
  })

  test('removes what is gone here, but never commits that are nowhere else', async () => {
    const main = await source.branch('main')
    await source.updateReferences([{ name: 'refs/heads/merged', from: undefined, to: main }])
    await source.push({ url: url() })
    const topic = await source.branch('topic')
    await source.updateReferences([
      { name: 'refs/heads/merged', from: main, to: undefined },
      { name: 'refs/heads/topic', from: topic, to: undefined },
    ])
    expect(await source.push({ url: url() })).toEqual({ pushed: [], removed: ['refs/heads/merged'], divergent: [] })
    expect(await target.branch('topic')).toBe(topic)
    expect(await target.branch('merged')).toBeUndefined()
  })

  test('only given branches, with or without tags', async () => {
    const report = await source.push({ url: url(), branches: ['topic', 'nowhere'] })
    expect(report.pushed).toEqual(['refs/heads/topic'])
    expect((await target.branches()).map(({ name }) => name)).toEqual(['topic'])
    expect((await source.push({ url: url(), branches: [], tags: true })).pushed).toEqual(['refs/tags/v1'])
    await expect(source.push({ url: url(), branches: ['--mirror'] })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('many references go in several pushes', async () => {
    const main = await source.branch('main')
    const names = Array.from({ length: 450 }, (_, index) => `refs/heads/many/${index}`)
    await source.updateReferences(names.map((name) => ({ name, from: undefined, to: main })))
    const { pushed } = await source.push({ url: url() })
    expect(pushed).toHaveLength(454)
    expect(references(target)).toEqual(references(source))
  })
})

describe('push over HTTP', () => {
  const remote = () => `${base}/target-${count}.git`

  test('with credentials that stand in no command line', async () => {
    const report = await source.push({ url: remote(), credentials: { username: 'robot', password } })
    expect(report.pushed).toHaveLength(4)
    expect(references(target)).toEqual(references(source))
    expect(seen.filter((line) => line.includes(` push `) && line.includes(remote()))).not.toEqual([])
    const forms = [password, encodeURIComponent(password), Buffer.from(`robot:${password}`).toString('base64')]
    for (const form of forms) expect(seen.filter((line) => line.includes(form))).toEqual([])
  })

  test('with credentials inside the address', async () => {
    const address = new URL(remote())
    address.username = 'robot'
    address.password = encodeURIComponent(password)
    expect((await source.push({ url: address.href })).pushed).toHaveLength(4)
  })

  test('to the address that was checked, whatever the name says', async () => {
    const { port } = new URL(base)
    const credentials = { username: 'robot', password }
    const address = `http://mirror.example:${port}/target-${count}.git`
    expect((await source.push({ url: address, credentials, address: '127.0.0.1' })).pushed).toHaveLength(4)
  })

  test('failures name no password', async () => {
    const credentials = { username: 'robot', password: 'hush-hush' }
    const refused = source.push({ url: remote(), credentials })
    await expect(refused).rejects.toMatchObject({ code: 'unprocessable', reason: 'remote' })
    const error = (await refused.catch((reason: unknown) => reason)) as Error
    expect(error.message).toMatch(/Authentication failed|could not read/)
    const inUrl = remote().replace('://', '://robot:hush-hush@')
    const second = (await source.push({ url: inUrl }).catch((reason: unknown) => reason)) as Error
    for (const { message, stack = '' } of [error, second]) {
      expect(message + stack).not.toContain('hush-hush')
      expect(message + stack).not.toContain(Buffer.from('robot:hush-hush').toString('base64'))
    }
  })

  test('what the other side refuses is told', async () => {
    const credentials = { username: 'robot', password }
    await source.push({ url: remote(), credentials })
    gitText(target.directory, 'config', 'receive.denyNonFastForwards', 'true')
    await target.write([add('theirs', { branch: 'topic' })])
    const refused = source.push({ url: remote(), credentials })
    await expect(refused).rejects.toMatchObject({ code: 'unprocessable', reason: 'remote' })
    await expect(refused).rejects.toThrow(/refs\/heads\/topic .*rejected.*non-fast-forward/)
  })

  test('follows no redirect', async () => {
    const credentials = { username: 'robot', password }
    const away = source.push({ url: `${base}/elsewhere/target-${count}.git`, credentials })
    await expect(away).rejects.toMatchObject({ code: 'unprocessable' })
    expect(references(target)).toEqual([])
  })

  test('has an end in time, and ends with its caller', async () => {
    const slow = source.push({ url: `${base}/silent/x.git`, timeLimit: 300 })
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', reason: 'time_limit' })
    const controller = new AbortController()
    const left = source.push({ url: `${base}/silent/x.git`, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('gone')), 100)
    await expect(left).rejects.toThrow('gone')
  })

  test.each([
    'ftp://example.com/x.git',
    'ext::sh -c touch% hacked',
    'file-not-url',
    '/tmp/x.git',
    'http://',
    'http://exa mple.com/x',
    'https://example.com/x\n',
    'ssh://-oProxyCommand=x/y',
    'ssh://$(touch hacked)/y',
    'ssh://a;b/y',
    'ssh://-x@example.com/y',
    'ssh://%2doProxyCommand@example.com/y',
    'git://-x/y',
  ])('refuses the address %j', async (address) => {
    await expect(source.push({ url: address })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('refuses a checked address that is none, and protocols that are not allowed', async () => {
    const push = source.push({ url: remote(), address: 'example.com' })
    await expect(push).rejects.toMatchObject({ code: 'invalid' })
    const plain = gitBinary()
    const local = plain.open(source.directory).push({ url: url() })
    await expect(local).rejects.toMatchObject({ code: 'invalid' })
    await plain.close()
  })
})
