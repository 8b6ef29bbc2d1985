import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { fetchHandler } from '@forgelet/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'

/** The installed git as a client of the server. */

let forge: FakeForge
let client: GitClient
beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0 })
  client = createGitClient()
})
afterEach(async () => {
  client.remove()
  await forge.close()
})

const project = 'acme/web'
const urlOf = (path = project) => `${forge.url}/${path}.git`
const as = (username: string, path = project) => withPassword(urlOf(path), forge.token(username))

/** A project with two commits, and a clone of it by Bob. */
const clone = async () => {
  const commits = ['first', 'second'].map((message) => ({
    message,
    files: [{ path: `${message}.txt`, content: `${message}\n` }],
  }))
  await forge.as('bob').commits.import({ project, commits })
  await client.git('.', 'clone', '--quiet', as('bob'), 'work')
}

/** The pushes of a user, newest first. */
const pushesOf = async (username: string) => {
  const { items } = await forge.as(username).events.list({ action: 'pushed', perPage: 100 })
  return items.map(({ pushData }) => pushData)
}

const directoryOf = async () => (await forge.host.repository.get({ project })).directory as string

const tipOf = async (branch: string) => (await forge.host.branches.get({ project, branch })).commit.id

/** The URL of a project with the token of a job that `user` runs. */
const asJobOf = async (user: string, path = project, username = 'gitlab-ci-token') => {
  const sha = 'a'.repeat(40)
  const pipeline = await forge.host.pipelines.record({ project, ref: 'main', sha, user, jobs: [{ name: 'test' }] })
  const [job] = (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
  const url = new URL(urlOf(path))
  url.username = username
  url.password = await forge.ci.token(job as NonNullable<typeof job>)
  return { url: url.href, pipeline }
}

describe('job tokens', () => {
  test('clone, and push where the project permits it', async () => {
    await clone()
    await forge.host.projects.update({ project, visibility: 'private' })
    const { url, pipeline } = await asJobOf('bob')
    await client.git('.', 'clone', '--quiet', url, 'ci')
    expect(await client.git('ci', 'log', '--format=%s')).toBe('second\nfirst')
    await client.commit('ci', 'Build', { 'built.txt': 'x' })
    const push = () => client.run('ci', 'push', 'origin', 'HEAD:built')
    expect((await push()).messages).toContain('403')
    await forge.host.projects.update({ project, settings: { ciPushRepositoryForJobTokenAllowed: true } })
    await push()
    expect(await tipOf('built')).toBe(await client.git('ci', 'rev-parse', 'HEAD'))
    await forge.ci.finish(pipeline)
    expect((await client.run('ci', 'fetch')).messages).toContain('Authentication failed')
  })

  test('clone other projects that permit them, and push to none', async () => {
    const path = 'acme/tools/deploy'
    const commits = [{ message: 'first', files: [{ path: 'a.txt', content: 'a' }] }]
    await forge.as('alice').commits.import({ project: path, commits })
    await forge.host.projects.update({ project: path, settings: { ciPushRepositoryForJobTokenAllowed: true } })
    const { url } = await asJobOf('alice', path)
    expect((await client.run('.', 'clone', url, 'other')).messages).toContain('not found')
    const { id: targetProject } = await forge.host.projects.get({ project })
    await forge.host.jobTokenScopes.addProject({ project: path, targetProject })
    await client.git('.', 'clone', '--quiet', url, 'other')
    expect((await client.run('other', 'push', 'origin', 'HEAD:built')).messages).toContain('403')
  })

  test('need their own user name', async () => {
    await clone()
    await forge.host.projects.update({ project, visibility: 'private' })
    const { url } = await asJobOf('bob', project, 'oauth2')
    expect((await client.run('.', 'clone', url, 'ci')).messages).toContain('Authentication failed')
  })
})

describe('fetching', () => {
  test('clones a project, and fetches what others push', async () => {
    await clone()
    expect(await client.git('work', 'log', '--format=%s')).toBe('second\nfirst')
    const { ids } = await forge
      .as('alice')
      .commits.import({ project, commits: [{ message: 'third', files: [{ path: 'c', content: 'c' }] }] })
    await client.git('work', 'pull', '--quiet')
    expect(await client.git('work', 'rev-parse', 'HEAD')).toBe(ids[0])
  })

  test.each(['0', '1', '2'])('supports version %s of the protocol', async (version) => {
    await clone()
    await client.git('.', '-c', `protocol.version=${version}`, 'clone', '--quiet', as('bob'), 'copy')
    expect(await client.git('copy', 'log', '--format=%s')).toBe('second\nfirst')
  })

  test('clones a public project without a credential, at the URL of the API', async () => {
    await clone()
    const response = await forge.fetch('/api/v4/projects/acme%2Fweb')
    const { http_url_to_repo: url } = (await response.json()) as { http_url_to_repo: string }
    expect(url).toBe(urlOf())
    await client.git('.', 'clone', '--quiet', url, 'anonymous')
    expect(await client.git('anonymous', 'log', '--format=%s')).toBe('second\nfirst')
  })

  test('shallow and partial clones', async () => {
    await clone()
    await client.git('.', 'clone', '--quiet', '--depth=1', urlOf(), 'shallow')
    expect(await client.git('shallow', 'rev-list', '--count', 'HEAD')).toBe('1')
    await client.git('shallow', 'fetch', '--quiet', '--unshallow')
    expect(await client.git('shallow', 'rev-list', '--count', 'HEAD')).toBe('2')
    await client.git('.', 'clone', '--quiet', '--filter=blob:none', '--no-checkout', urlOf(), 'partial')
    const missing = () => client.git('partial', 'rev-list', '--objects', '--all', '--missing=print')
    expect(await missing()).toMatch(/^\?/m)
    await client.git('partial', 'checkout', '--quiet', 'main')
    expect(await missing()).not.toMatch(/^\?/m)
  })

  test('clones an empty project', async () => {
    const { messages } = await client.run('.', 'clone', as('bob'), 'empty')
    expect(messages).toContain('You appear to have cloned an empty repository')
  })

  test('does not show references of the platform', async () => {
    await clone()
    expect(await client.git('work', 'ls-remote', 'origin')).not.toContain('refs/forgelet')
  })
})

describe('pushing', () => {
  test('creates the repository, branches and tags, and records each push once', async () => {
    await client.git('.', 'init', '--quiet', 'work')
    const first = await client.commit('work', 'first', { 'README.md': '# Web\n' })
    await client.git('work', 'push', '--quiet', as('bob'), 'main')
    const { emptyRepo, defaultBranch, readmeFile } = await forge.host.projects.get({ project })
    expect({ emptyRepo, defaultBranch, readmeFile }).toEqual({
      emptyRepo: false,
      defaultBranch: 'main',
      readmeFile: 'README.md',
    })
    await client.commit('work', 'second', { a: 'a' })
    const third = await client.commit('work', 'third', { b: 'b' })
    await client.git('work', 'tag', '-a', 'v1', '-m', 'One')
    await client.git('work', 'push', '--quiet', as('bob'), 'main', 'main:refs/heads/topic/a', 'v1')
    await client.git('work', 'push', '--quiet', as('bob'), ':topic/a', ':v1')
    expect(await tipOf('main')).toBe(third)
    const pushes = await pushesOf('bob')
    expect(pushes.slice(0, 6).map((push) => [push?.refType, push?.ref, push?.action, push?.commitCount])).toEqual([
      ['tag', 'v1', 'removed', 0],
      ['branch', 'topic/a', 'removed', 0],
      ['tag', 'v1', 'created', 0],
      ['branch', 'topic/a', 'created', 0],
      ['branch', 'main', 'pushed', 2],
      ['branch', 'main', 'created', 1],
    ])
    expect(pushes[4]).toMatchObject({ commitFrom: first, commitTo: third, commitTitle: 'third' })
    expect(pushes[2]).toMatchObject({ commitTo: third, commitTitle: 'third' })
  })

  test('refuses a forced push to the default branch and its deletion, and says why', async () => {
    await clone()
    const before = await tipOf('main')
    await client.git('work', 'commit', '--quiet', '--amend', '--message', 'rewritten')
    const forced = await client.run('work', 'push', '--force', 'origin', 'main', 'main:topic')
    expect(forced.code).toBe(1)
    expect(forced.messages).toContain(
      '! [remote rejected] main -> main (You are not allowed to force push code to a protected branch on this project.)',
    )
    expect(forced.messages).toContain('* [new branch]      main -> topic')
    const removed = await client.run('work', 'push', 'origin', ':main')
    expect(removed.messages).toContain('(The default branch of a project cannot be deleted.)')
    expect(await tipOf('main')).toBe(before)
    await client.git('work', 'commit', '--quiet', '--amend', '--message', 'again')
    await client.git('work', 'push', '--quiet', '--force', 'origin', 'main:topic')
    expect(await tipOf('topic')).toBe(await client.git('work', 'rev-parse', 'HEAD'))
  })

  test('an atomic push changes all references or none', async () => {
    await clone()
    await client.git('work', 'commit', '--quiet', '--amend', '--message', 'rewritten')
    const pushed = await client.run('work', 'push', '--atomic', '--force', 'origin', 'main', 'main:topic')
    expect(pushed.code).toBe(1)
    expect(pushed.messages).toContain('main -> topic (atomic push failed)')
    const { items } = await forge.host.branches.list({ project })
    expect(items.map(({ name }) => name)).toEqual(['main'])
  })

  test('accepts notes, and refuses references of the platform', async () => {
    await clone()
    const pushed = await client.run('work', 'push', 'origin', 'main:refs/forgelet/import/x', 'main:refs/notes/x')
    expect(pushed.messages).toContain('refs/forgelet/import/x (the reference belongs to the platform)')
    expect(pushed.messages).toContain('main -> refs/notes/x')
    expect(await client.git('work', 'ls-remote', 'origin', 'refs/notes/x')).toContain('refs/notes/x')
    expect(await pushesOf('bob')).toHaveLength(1)
  })

  test('a push from a shallow clone', async () => {
    await clone()
    await client.git('.', 'clone', '--quiet', '--depth=1', as('bob'), 'shallow')
    const id = await client.commit('shallow', 'third', { c: 'c' })
    await client.git('shallow', 'push', '--quiet')
    expect(await tipOf('main')).toBe(id)
  })

  test('many objects', async () => {
    await clone()
    const files = Array.from({ length: 300 }, (_, at) => [`files/${at}`, randomBytes(20_000)] as const)
    const id = await client.commit('work', 'many', Object.fromEntries(files))
    await client.git('work', 'push', '--quiet')
    expect(await tipOf('main')).toBe(id)
    await client.git('.', 'clone', '--quiet', as('bob'), 'copy')
    expect(await client.git('copy', 'rev-parse', 'HEAD^{tree}')).toBe(
      await client.git('work', 'rev-parse', 'HEAD^{tree}'),
    )
  })

  test('a push above the size limit is rejected', async () => {
    await clone()
    await forge.host.settings.update({ receiveMaxInputSize: 1 })
    const before = await tipOf('main')
    await client.commit('work', 'large', { large: randomBytes(2_000_000) })
    const pushed = await client.run('work', 'push')
    expect(pushed.messages).toContain('pack exceeds maximum allowed size')
    expect(await tipOf('main')).toBe(before)
  })

  test('concurrent pushes to branches all succeed', async () => {
    await clone()
    const names = Array.from({ length: 20 }, (_, at) => `branch-${at}`)
    for (const name of names) {
      await client.git('work', 'switch', '--quiet', '--create', name, 'origin/main')
      await client.commit('work', name, { [name]: name })
    }
    const codes = await Promise.all(
      names.map(async (name) => (await client.run('work', 'push', '--quiet', 'origin', name)).code),
    )
    expect(codes).toEqual(names.map(() => 0))
    const { items } = await forge.host.branches.list({ project, perPage: 100 })
    expect(items.map(({ name }) => name).sort()).toEqual([...names, 'main'].sort())
    const refs = (await pushesOf('bob')).filter((push) => push?.action === 'created').map((push) => push?.ref)
    expect(refs.sort()).toEqual([...names, 'main'].sort())
  })

  test('a client that is killed leaves nothing behind', async () => {
    await clone()
    const id = await client.commit('work', 'large', { large: randomBytes(30_000_000) })
    for (const delay of [50, 150, 300]) {
      const push = client.start('work', 'push', '--quiet')
      await new Promise((resolve) => setTimeout(resolve, delay))
      push.kill()
      await push.exit
    }
    // The server may complete a push whose client ended after it had sent everything.
    await expect
      .poll(async () => (await client.run('work', 'push', '--quiet')).code, { timeout: 30_000, interval: 500 })
      .toBe(0)
    expect(await tipOf('main')).toBe(id)
    expect((await pushesOf('bob')).map((push) => push?.commitTitle)).toEqual(['large', 'second'])
    const objects = join(await directoryOf(), 'objects')
    // The server may still be ending an interrupted push.
    await expect
      .poll(() => readdirSync(objects).filter((name) => name.startsWith('tmp_')), { timeout: 20_000 })
      .toEqual([])
  }, 90_000)
})

describe('credentials', () => {
  const code = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/info/refs?service=git-upload-pack`, init)
    await response.body?.cancel()
    return [response.status, response.headers.get('www-authenticate')]
  }
  const basic = (password: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}` },
  })
  const secretProject = 'acme/tools/deploy'

  test('are requested for projects that anonymous users cannot see, whether or not they exist', async () => {
    for (const path of [secretProject, 'acme/missing']) {
      expect(await code(urlOf(path))).toEqual([401, 'Basic realm="Forgelet"'])
    }
    expect(await code(urlOf(secretProject), basic('wrong'))).toEqual([401, 'Basic realm="Forgelet"'])
    expect(await code(urlOf(secretProject), basic(forge.token('mallory')))).toEqual([404, null])
    expect(await code(urlOf(secretProject), basic(forge.token('alice')))).toEqual([200, null])
    const headers = { 'private-token': forge.token('alice') }
    expect(await code(urlOf(secretProject), { headers })).toEqual([200, null])
    const bearer = { authorization: `Bearer ${forge.token('alice')}` }
    expect(await code(urlOf(secretProject), { headers: bearer })).toEqual([200, null])
  })

  test('need the scope of the service', async () => {
    await clone()
    const scoped = async (scope: 'read_api' | 'read_repository' | 'write_repository') => {
      const secret = `token-${scope}`
      await forge.host.tokens.create({ user: 'bob', name: scope, scopes: [scope], secret })
      return secret
    }
    await client.commit('work', 'third', { c: 'c' })
    const reading = withPassword(urlOf(), await scoped('read_repository'))
    expect(await code(urlOf(), basic(await scoped('read_api')))).toEqual([403, null])
    expect(await code(urlOf(), basic('token-read_repository'))).toEqual([200, null])
    const writing = withPassword(urlOf(), await scoped('write_repository'))
    const refused = await client.run('work', 'push', reading, 'main')
    expect(refused.messages).toContain('remote: The token needs the scope write_repository or api.')
    expect((await client.run('work', 'push', writing, 'main')).code).toBe(0)
  })

  test('a user who cannot push is told so', async () => {
    await clone()
    const refused = await client.run('work', 'push', as('mallory'), 'main')
    expect(refused.messages).toContain('remote: You are not allowed to push code to this project.')
    expect(refused.messages).toContain('403')
  })

  test('Basic authentication is rejected by the API', async () => {
    const { status } = await fetch(`${forge.url}/api/v4/user`, basic(forge.token('bob')))
    expect(status).toBe(401)
  })
})

test('an archived project can be cloned, but not pushed to', async () => {
  await clone()
  await forge.host.projects.archive({ project })
  await client.commit('work', 'third', { c: 'c' })
  expect((await client.run('work', 'push')).messages).toContain('You are not allowed to push code to this project.')
  await client.git('work', 'fetch', '--quiet')
})

test('the path of a base URL is part of the URLs', async () => {
  await clone()
  const handle = fetchHandler(forge.platform, { baseUrl: 'http://forge.test/forge' })
  const response = await handle(`http://forge.test/forge/${project}.git/info/refs?service=git-upload-pack`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('refs/heads/main')
})

describe('malformed requests', () => {
  const post = async (service: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const response = await fetch(`${urlOf()}/${service}`, {
      method: 'POST',
      headers: { 'private-token': forge.token('bob'), ...headers },
      body: body as BodyInit,
    })
    return [response.status, (await response.text()).trim()] as const
  }
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const id = 'a'.repeat(40)
  const zero = '0'.repeat(40)

  test.each([
    ['no length', 'zzzz'],
    ['an incomplete line', '00ffabc'],
    ['a length below four', '0003'],
    ['a length above the limit', 'ffff'],
    ['a malformed command', `${line('push everything')}0000`],
    ['a short id', `${line(`abc ${id} refs/heads/x`)}0000`],
  ])('%s', async (_, body) => {
    expect(await post('git-receive-pack', body)).toEqual([400, expect.stringMatching(/^The request /)])
  })

  test('unknown objects and invalid names are refused in the report', async () => {
    const capabilities = '\0report-status'
    const unknown = await post('git-receive-pack', `${line(`${zero} ${id} refs/heads/x${capabilities}`)}0000`)
    expect(unknown).toEqual([200, expect.stringContaining('unpack missing necessary objects')])
    const invalid = await post('git-receive-pack', `${line(`${zero} ${id} refs/heads/../../x${capabilities}`)}0000`)
    expect(invalid[0]).toBe(200)
    expect(invalid[1]).toContain('ng refs/heads/../../x')
    const broken = await post(
      'git-receive-pack',
      `${line(`${zero} ${id} refs/heads/x${capabilities}`)}0000PACKnonsense`,
    )
    expect(broken[1]).toMatch(/unpack .+/)
    expect(broken[1]).toContain('ng refs/heads/x unpacker error')
  })

  test('a repeated push is refused and recorded once', async () => {
    await clone()
    const before = await tipOf('main')
    const after = await client.commit('work', 'third', { c: 'c' })
    await client.git('work', 'push', '--quiet')
    const repeated = await post('git-receive-pack', `${line(`${before} ${after} refs/heads/main\0report-status`)}0000`)
    expect(repeated[1]).toContain('ng refs/heads/main A reference was modified concurrently')
    expect((await pushesOf('bob')).map((push) => push?.commitTitle)).toEqual(['third', 'second'])
  })

  test('a request without commands is accepted, as git sends it to test its credentials', async () => {
    expect(await post('git-receive-pack', '0000')).toEqual([200, ''])
    expect(await post('git-upload-pack', '0000')).toEqual([200, ''])
  })

  test('invalid compression', async () => {
    expect((await post('git-upload-pack', 'text', { 'content-encoding': 'gzip' }))[0]).toBe(415)
    expect((await post('git-upload-pack', 'text', { 'content-encoding': 'br' }))[0]).toBe(415)
  })

  test('other paths of a repository', async () => {
    const status = async (path: string) => (await fetch(`${urlOf()}${path}`)).status
    expect(await status('/HEAD')).toBe(403)
    expect(await status('/objects/info/packs')).toBe(403)
    expect(await status('/info/refs')).toBe(403)
    expect(await status('/info/refs?service=git-upload-archive')).toBe(403)
    expect(await status('/git-upload-pack')).toBe(403)
    expect(await status('/config')).toBe(404)
    expect((await fetch(`${forge.url}/..%2f..%2fetc.git/info/refs?service=git-upload-pack`)).status).toBe(401)
    expect((await fetch(`${forge.url}/%ff.git/info/refs?service=git-upload-pack`)).status).toBe(404)
  })
})

test('rules of protected branches and tags refuse each reference with a reason', async () => {
  await clone()
  await forge.as('alice').protectedBranches.create({ project, name: 'release/*' })
  await forge.as('alice').protectedTags.create({ project, name: 'v*' })
  await client.git('work', 'tag', 'v1')
  await client.git('work', 'tag', 'nightly')
  const push = (...names: string[]) =>
    client.git('work', 'push', 'origin', ...names).then(
      () => '',
      (error: Error) => error.message,
    )
  const output = await push('HEAD:refs/heads/release/1', 'HEAD:refs/heads/topic', 'v1', 'nightly')
  expect(output).toContain('You are not allowed to create protected branches on this project.')
  expect(output).toContain('You are not allowed to create this tag as it is protected.')
  expect(await client.git('work', 'ls-remote', 'origin', 'release/1', 'v1')).toBe('')
  expect(await client.git('work', 'ls-remote', 'origin', 'topic', 'nightly')).toContain('refs/heads/topic')
  await client.git('work', 'push', as('alice'), 'HEAD:refs/heads/release/1', 'v1')
  expect(await push('--delete', 'release/1')).toContain(
    'You can only delete protected branches using the web interface.',
  )
  expect(await push('--force', 'HEAD~1:refs/heads/release/1')).toContain('protected branches')
  expect(await push('--force', 'HEAD~1:refs/tags/v1')).toContain('Protected tags cannot be updated.')
})

test('the push rule refuses each reference with a reason', async () => {
  await clone()
  const rule = {
    commitMessageNegativeRegex: 'WIP',
    branchNameRegex: '^fix/',
    fileNameRegex: 'secret',
    denyDeleteTag: true,
  }
  await forge.host.pushRules.create({ project, ...rule })
  const git = (...args: string[]) => client.git('work', ...args)
  const push = async (...references: string[]) => {
    const pushed = git('push', as('alice'), ...references)
    return pushed.then(
      () => '',
      (error: Error) => error.message,
    )
  }
  expect(await push('HEAD:refs/heads/topic')).toContain("Branch name 'topic' does not follow the pattern '^fix/'")
  await git('commit', '--quiet', '--allow-empty', '--message', 'WIP')
  const output = await push('HEAD:refs/heads/fix/1', 'HEAD~1:refs/heads/fix/2', 'HEAD:refs/tags/v1')
  expect(output).toContain("fix/1 (Commit message contains the forbidden pattern 'WIP')")
  expect(output).toContain("v1 (Commit message contains the forbidden pattern 'WIP')")
  expect(await tipOf('fix/2')).toBe(await tipOf('main'))
  await git('reset', '--quiet', '--hard', 'HEAD~1')
  await git('mv', 'first.txt', 'secret')
  await git('commit', '--quiet', '--message', 'Rename')
  expect(await push('HEAD:main')).toContain("File name secret was prohibited by the pattern 'secret'")
  expect(await push('HEAD~1:refs/tags/v1')).toBe('')
  expect(await push('--delete', 'v1')).toContain('You cannot delete a tag')
})

describe('pipelines of pushes', () => {
  const file = 'build: { script: make, rules: [{ when: always }] }\n'

  /** A forge whose pushes create pipelines, and a clone by Bob with a commit that is not pushed. */
  const prepare = async () => {
    const ci = await world({ seed: openDemo, port: 0, pipelinesOnPush: true })
    const commits = [{ message: 'first', files: [{ path: 'a.txt', content: 'a\n' }] }]
    await ci.as('bob').commits.import({ project, commits })
    const url = withPassword(`${ci.url}/${project}.git`, ci.token('bob'))
    await client.git('.', 'clone', '--quiet', url, 'ci')
    const sha = await client.commit('ci', 'second', { '.gitlab-ci.yml': file })
    const list = async () => {
      await ci.platform.jobs.drain()
      return (await ci.host.pipelines.list({ project })).items
    }
    return { ci, sha, list, [Symbol.asyncDispose]: () => ci.close() }
  }

  test('are created by the pushing user', async () => {
    await using forge = await prepare()
    await client.git('ci', 'push', '--quiet', 'origin', 'main', 'HEAD:refs/tags/v1')
    expect(await forge.list()).toMatchObject([
      { ref: 'v1', tag: true },
      { ref: 'main', sha: forge.sha, source: 'push', status: 'pending', user: { username: 'bob' } },
    ])
  })

  test('are skipped with the option ci.skip, which webhooks receive', async () => {
    await using forge = await prepare()
    await forge.ci.host.hooks.create({ project, url: 'https://hooks.example.com/', pushEvents: true })
    await client.git('ci', 'push', '--quiet', '-o', 'ci.skip', '-o', 'unknown', 'origin', 'main')
    expect(await forge.list()).toMatchObject([{ ref: 'main', status: 'skipped' }])
    const { body } = await forge.ci.hooks.waitFor({ event: 'push' })
    expect(body).toMatchObject({ push_options: { ci: { skip: true } } })
  })

  test('are created by merges', async () => {
    await using forge = await prepare()
    await client.git('ci', 'push', '--quiet', 'origin', 'HEAD:topic')
    const request = { title: 'Change', sourceBranch: 'topic', targetBranch: 'main' }
    const { iid } = await forge.ci.as('bob').mergeRequests.create({ project, ...request })
    await forge.list()
    await forge.ci.as('alice').mergeRequests.merge({ project, mergeRequest: iid })
    expect((await forge.list()).map(({ source, ref }) => `${source} ${ref}`).toSorted()).toEqual([
      `merge_request_event refs/merge-requests/${iid}/head`,
      'push main',
      'push topic',
    ])
  })
})
