import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listCommandLines } from '../../../../../test/support/process-list.ts'
import { createTemporaryFolder, runGit, runGitLines, runGitText } from '../../../../../test/support/sample-history.ts'
import type { PlatformError } from '../../kernel/errors.ts'
import type { NewCommit, Repository } from '../git.ts'
import { gitBinary } from '../git-binary.ts'

const folder = createTemporaryFolder()
const git = gitBinary({ pushProtocols: ['https', 'http', 'ssh', 'git', 'file'] })
const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
const password = 'pa ss/w@rd:%"x'
let server: Server
let baseUrl: string
let count = 0
let source: Repository
let target: Repository
/** The command lines of all processes of the machine, recorded during each request. */
let observedCommandLines: string[] = []

/** A remote repository: `git http-backend` behind Basic authentication. */
const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '', 'http://x')
  if (url.pathname.startsWith('/elsewhere/')) {
    response.writeHead(302, { location: `${baseUrl}${url.pathname.slice(10)}${url.search}` }).end()
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
  observedCommandLines.push(...listCommandLines())
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
  server = createServer(handleRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await git.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  count += 1
  observedCommandLines = []
  source = await git.create(join(folder, `source-${count}.git`))
  target = await git.create(join(folder, `target-${count}.git`))
  runGitText(target.directory, 'config', 'http.receivepack', 'true')
  await source.writeCommits([
    createFileCommit('a'),
    createFileCommit('b', { branch: 'topic' }),
    createFileCommit('c', { branch: 'żółć' }),
  ])
  const commit = (await source.branch('main')) ?? ''
  await source.createTag({ name: 'v1', commit, annotation: { message: 'One', tagger: author } })
})

const createFileCommit = (path: string, more: Partial<NewCommit> = {}): NewCommit => ({
  branch: 'main',
  message: path,
  author,
  files: [{ path, content: path }],
  ...more,
})
const targetUrl = () => `file://${target.directory}`
const listReferences = (repository: Repository) => runGitLines(repository.directory, 'for-each-ref')

describe('push', () => {
  test('mirrors all branches and tags, and pushes nothing the second time', async () => {
    await source.updateReferences([{ name: 'refs/keep/1', from: undefined, to: await source.branch('main') }])
    const report = await source.push({ url: targetUrl() })
    expect(new Set(report.pushed)).toEqual(
      new Set(['refs/heads/main', 'refs/heads/topic', 'refs/heads/żółć', 'refs/tags/v1']),
    )
    expect(listReferences(target)).toEqual(listReferences(source).filter((line) => !line.includes('refs/keep')))
    expect(await source.push({ url: targetUrl() })).toEqual({ pushed: [], removed: [], divergent: [], ambiguous: [] })
  })

  test('overwrites or keeps diverged branches', async () => {
    await source.push({ url: targetUrl() })
    const [foreign] = await target.writeCommits([createFileCommit('theirs', { branch: 'topic' })])
    await source.writeCommits([createFileCommit('ours', { branch: 'topic' }), createFileCommit('more')])
    const report = await source.push({ url: targetUrl(), keepDivergentReferences: true })
    expect(report).toEqual({ pushed: ['refs/heads/main'], removed: [], divergent: ['refs/heads/topic'], ambiguous: [] })
    expect(await target.branch('topic')).toBe(foreign)
    expect(await target.branch('main')).toBe(await source.branch('main'))
    expect((await source.push({ url: targetUrl() })).pushed).toEqual(['refs/heads/topic'])
    expect(listReferences(target)).toEqual(listReferences(source))
  })

  test('reports a changed tag as divergent', async () => {
    await source.push({ url: targetUrl() })
    const [other] = await source.writeCommits([createFileCommit('x')])
    const tag = runGitText(source.directory, 'rev-parse', 'refs/tags/v1')
    await source.updateReferences([{ name: 'refs/tags/v1', from: tag, to: other }])
    const report = await source.push({ url: targetUrl(), keepDivergentReferences: true })
    expect(report.divergent).toEqual(['refs/tags/v1'])
    expect((await source.push({ url: targetUrl() })).pushed).toEqual(['refs/tags/v1'])
  })

  test('removes only merged branches from the remote', async () => {
    const main = await source.branch('main')
    await source.updateReferences([{ name: 'refs/heads/merged', from: undefined, to: main }])
    await source.push({ url: targetUrl() })
    const topic = await source.branch('topic')
    await source.updateReferences([
      { name: 'refs/heads/merged', from: main, to: undefined },
      { name: 'refs/heads/topic', from: topic, to: undefined },
    ])
    expect(await source.push({ url: targetUrl() })).toEqual({
      pushed: [],
      removed: ['refs/heads/merged'],
      divergent: [],
      ambiguous: [],
    })
    expect(await target.branch('topic')).toBe(topic)
    expect(await target.branch('merged')).toBeUndefined()
  })

  test('pushes selected branches, with or without tags', async () => {
    const report = await source.push({ url: targetUrl(), branches: ['topic', 'nowhere'] })
    expect(report.pushed).toEqual(['refs/heads/topic'])
    expect((await target.branches()).map(({ name }) => name)).toEqual(['topic'])
    expect((await source.push({ url: targetUrl(), branches: [], tags: true })).pushed).toEqual(['refs/tags/v1'])
    await expect(source.push({ url: targetUrl(), branches: ['--mirror'] })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('pushes many references in batches', async () => {
    const main = await source.branch('main')
    const names = Array.from({ length: 450 }, (_, index) => `refs/heads/many/${index}`)
    await source.updateReferences(names.map((name) => ({ name, from: undefined, to: main })))
    const { pushed } = await source.push({ url: targetUrl() })
    expect(pushed).toHaveLength(454)
    expect(listReferences(target)).toEqual(listReferences(source))
  })
})

describe('push with names that git could mistake for others', () => {
  const listNames = (repository: Repository) => runGitLines(repository.directory, 'for-each-ref', '--format=%(refname)')
  /** Adds references with the names that `git push <id>:refs/heads/main` also finds. All point to another commit. */
  const addLookalikes = async (repository: Repository) => {
    const [main = '', other] = await Promise.all([repository.branch('main'), repository.branch('topic')])
    const names = ['refs/heads/main', 'refs/tags/main', 'heads/main', main]
    for (const name of names)
      for (const kind of ['heads', 'tags'])
        runGitText(repository.directory, 'update-ref', `refs/${kind}/${name}`, `${other}`)
    runGitText(repository.directory, 'update-ref', 'refs/remotes/refs/heads/main', `${other}`)
    return { main, other }
  }

  const ambiguousNames = [
    'refs/heads/refs/heads/main',
    'refs/heads/refs/tags/main',
    'refs/tags/refs/heads/main',
    'refs/tags/refs/tags/main',
  ]

  test.each(['file', 'http'])('pushes the commits of the references (%s)', async (protocol) => {
    const url = protocol === 'file' ? targetUrl() : `${baseUrl}/target-${count}.git`
    const credentials = { username: 'robot', password }
    const { main } = await addLookalikes(source)
    await source.push({ url, credentials, branches: ['main'] })
    expect(listReferences(target)).toEqual([`${main} commit\trefs/heads/main`])
    const { ambiguous } = await source.push({ url, credentials })
    expect(ambiguous).toEqual(ambiguousNames)
    const isPushed = (line: string) => !/\trefs\/(heads|tags|remotes)\/refs\//.test(line)
    expect(listReferences(target)).toEqual(listReferences(source).filter(isPushed))
    const [next] = await source.writeCommits([createFileCommit('next')])
    expect((await source.push({ url, credentials })).pushed).toEqual(['refs/heads/main'])
    expect(await target.branch('main')).toBe(next)
  })

  test.each(['file', 'http'])(
    'changes no reference instead of an ambiguous one in the remote (%s)',
    async (protocol) => {
      const url = protocol === 'file' ? targetUrl() : `${baseUrl}/target-${count}.git`
      const request = { url, credentials: { username: 'robot', password } }
      await source.updateReferences([{ name: 'refs/heads/merged', from: undefined, to: await source.branch('main') }])
      await source.push(request)
      const merged = await source.branch('merged')
      await source.updateReferences([{ name: 'refs/heads/merged', from: merged, to: undefined }])
      for (const name of ['refs/heads/topic', 'refs/heads/merged'])
        runGitText(target.directory, 'update-ref', `refs/heads/${name}`, `${merged}`)
      runGitText(target.directory, 'update-ref', '-d', 'refs/heads/topic')
      const before = listReferences(target)
      const nothing = { pushed: [], divergent: [] }
      // Both names are merged branches that do not exist in the source, so they are removed.
      expect(await source.push(request)).toEqual({
        ...nothing,
        removed: ['refs/heads/refs/heads/merged', 'refs/heads/refs/heads/topic'],
        ambiguous: ['refs/heads/topic'],
      })
      expect(listReferences(target)).toEqual(before.filter((line) => !line.includes('refs/heads/refs/')))
      expect(await source.push(request)).toEqual({
        pushed: ['refs/heads/topic'],
        removed: ['refs/heads/merged'],
        divergent: [],
        ambiguous: [],
      })
    },
  )

  test('reports names that are not UTF-8', async () => {
    const line = `create refs/heads/jos\xe9 ${await source.branch('main')}\n`
    runGit(source.directory, ['update-ref', '--stdin'], Buffer.from(line, 'latin1'))
    expect((await source.push({ url: targetUrl() })).ambiguous).toEqual(['refs/heads/jos\ufffd'])
  })

  test('replaces a merged branch by a branch below its name', async () => {
    const main = await source.branch('main')
    await source.updateReferences([{ name: 'refs/heads/a', from: undefined, to: main }])
    await source.push({ url: targetUrl() })
    await source.updateReferences([{ name: 'refs/heads/a', from: main, to: undefined }])
    await source.updateReferences([{ name: 'refs/heads/a/b', from: undefined, to: main }])
    const report = await source.push({ url: targetUrl() })
    expect(report).toEqual({ pushed: ['refs/heads/a/b'], removed: ['refs/heads/a'], divergent: [], ambiguous: [] })
    expect(listNames(target)).toEqual(listNames(source))
  })
})

describe('push over HTTP', () => {
  const remote = () => `${baseUrl}/target-${count}.git`

  test('does not expose credentials in command lines', async () => {
    const report = await source.push({ url: remote(), credentials: { username: 'robot', password } })
    expect(report.pushed).toHaveLength(4)
    expect(listReferences(target)).toEqual(listReferences(source))
    expect(observedCommandLines.filter((line) => line.includes(` push `) && line.includes(remote()))).not.toEqual([])
    const forms = [password, encodeURIComponent(password), Buffer.from(`robot:${password}`).toString('base64')]
    for (const form of forms) expect(observedCommandLines.filter((line) => line.includes(form))).toEqual([])
  })

  test('uses credentials in the URL', async () => {
    const url = new URL(remote())
    url.username = 'robot'
    url.password = encodeURIComponent(password)
    expect((await source.push({ url: url.href })).pushed).toHaveLength(4)
  })

  test('connects to the verified IP address without resolving the host name', async () => {
    const { port } = new URL(baseUrl)
    const credentials = { username: 'robot', password }
    const url = `http://mirror.example:${port}/target-${count}.git`
    expect((await source.push({ url, credentials, ipAddress: '127.0.0.1' })).pushed).toHaveLength(4)
  })

  test('does not expose the password in errors', async () => {
    const credentials = { username: 'robot', password: 'hush-hush' }
    const inUrl = remote().replace('://', '://robot:hush-hush@')
    for (const request of [{ url: remote(), credentials }, { url: inUrl }]) {
      const error = (await source.push(request).catch((reason: unknown) => reason)) as PlatformError
      const { code, reason, message, stack = '' } = error
      expect({ code, reason, message }).toEqual({
        code: 'unprocessable',
        reason: 'credentials',
        message: 'The remote repository rejected the credentials',
      })
      expect(message + stack).not.toContain('hush-hush')
      expect(message + stack).not.toContain(Buffer.from('robot:hush-hush').toString('base64'))
    }
  })

  test('removes lines with a short password from errors', async () => {
    const refused = remote().replace(/:\d+\//, ':9/')
    const push = (value: string) =>
      source
        .push({ url: refused, credentials: { username: 'robot', password: value } })
        .catch(({ message }: Error) => message)
    expect(await push('none')).toMatch(/unable to access/)
    expect(await push('una')).toBe('The remote repository cannot be accessed')
  })

  test('reports rejected references', async () => {
    const credentials = { username: 'robot', password }
    await source.push({ url: remote(), credentials })
    runGitText(target.directory, 'config', 'receive.denyNonFastForwards', 'true')
    await target.writeCommits([createFileCommit('theirs', { branch: 'topic' })])
    const rejected = source.push({ url: remote(), credentials })
    await expect(rejected).rejects.toMatchObject({ code: 'unprocessable', reason: undefined })
    await expect(rejected).rejects.toThrow(/refs\/heads\/topic .*rejected.*non-fast-forward/)
  })

  test('does not follow redirects', async () => {
    const credentials = { username: 'robot', password }
    const redirected = source.push({ url: `${baseUrl}/elsewhere/target-${count}.git`, credentials })
    await expect(redirected).rejects.toMatchObject({ code: 'unprocessable' })
    expect(listReferences(target)).toEqual([])
  })

  test('ends at its time limit and when aborted', async () => {
    const slow = source.push({ url: `${baseUrl}/silent/x.git`, timeout: 300 })
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', reason: 'time_limit' })
    const controller = new AbortController()
    const aborted = source.push({ url: `${baseUrl}/silent/x.git`, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('gone')), 100)
    await expect(aborted).rejects.toThrow('gone')
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
  ])('rejects the URL %j', async (url) => {
    await expect(source.push({ url })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('rejects an invalid IP address and disallowed protocols', async () => {
    const push = source.push({ url: remote(), ipAddress: 'example.com' })
    await expect(push).rejects.toMatchObject({ code: 'invalid' })
    const plain = gitBinary()
    const local = plain.open(source.directory).push({ url: targetUrl() })
    await expect(local).rejects.toMatchObject({ code: 'invalid' })
    await plain.close()
  })
})
