import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'

/** The references of merge requests, for the installed git as a client. */

let forge: FakeForge
let client: GitClient
let fork: number
beforeEach(async () => {
  forge = await world({ port: 0 })
  client = createGitClient()
  const project = { namespace: 'acme', name: 'App', path: 'app', visibility: 'public' } as const
  await forge.host.projects.create(project)
  await commit('acme/app', 'main', 'README.md', 'Hello')
  fork = (await forge.as('mallory').forks.create({ project: 'acme/app' })).id
})
afterEach(async () => {
  client.remove()
  await forge.close()
})

const commit = async (project: number | string, branch: string, path: string, content: string, parents?: string[]) => {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const change = { branch, message: `Change ${path}`, author, files: [{ path, content }] }
  const { ids } = await forge.host.commits.import({ project, commits: [{ ...change, ...(parents && { parents }) }] })
  return ids[0] as string
}

const urlOf = (username: string, path = 'acme/app') => withPassword(`${forge.url}/${path}.git`, forge.token(username))

const readReferences = async (username: string, ...patterns: string[]) => {
  const output = await client.git('.', 'ls-remote', urlOf(username), ...patterns)
  return Object.fromEntries(
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t').toReversed()),
  ) as Record<string, string>
}

const main = () => forge.host.branches.get({ project: 'acme/app', branch: 'main' }).then((b) => b.commit.id)

/** An open merge request, from a branch of the project or of the fork. */
const open = async (from: 'project' | 'fork') => {
  const project = from === 'fork' ? fork : 'acme/app'
  const sha = await commit(project, 'topic', 'new.md', 'New', [await main()])
  const { iid } = await forge.as(from === 'fork' ? 'mallory' : 'bob').mergeRequests.create({
    project,
    title: 'Add a file',
    sourceBranch: 'topic',
    targetProjectId: 'acme/app',
  })
  return { project, sha, head: `refs/merge-requests/${iid}/head`, merge: `refs/merge-requests/${iid}/merge`, iid }
}

describe.each(['project', 'fork'] as const)('the references of a merge request from a branch of the %s', (from) => {
  test('are fetched, but not cloned by default', async () => {
    const { sha, head, merge } = await open(from)
    expect(await readReferences('alice', 'refs/merge-requests/*')).toMatchObject({
      [head]: sha,
      [merge]: expect.any(String),
    })
    await client.git('.', 'clone', '--quiet', urlOf('alice'), 'work')
    expect(await client.git('work', 'for-each-ref', '--format=%(refname)')).not.toContain('merge-requests')
    await client.git('work', 'fetch', '--quiet', 'origin', head)
    expect(await client.git('work', 'rev-parse', 'FETCH_HEAD')).toBe(sha)
    const refspec = '+refs/merge-requests/*:refs/remotes/origin/merge-requests/*'
    await client.git('work', 'fetch', '--quiet', 'origin', refspec)
    const parents = await client.git('work', 'rev-parse', `${merge.replace('refs/', 'refs/remotes/origin/')}^2`)
    expect(parents).toBe(sha)
    await client.git('.', 'clone', '--quiet', '-c', `remote.origin.fetch=${refspec}`, urlOf('alice'), 'all')
    expect(await client.git('all', 'rev-parse', head.replace('refs/', 'refs/remotes/origin/'))).toBe(sha)
    const { items } = await forge.host.branches.list({ project: 'acme/app' })
    expect(items.map(({ name }) => name)).toEqual(from === 'fork' ? ['main'] : ['main', 'topic'])
  })

  test('follow pushes, and stay after the branch was removed', async () => {
    const { project, head, merge } = await open(from)
    const sha = await commit(project, 'topic', 'second.md', 'Second')
    await forge.platform.jobs.drain()
    expect(await readReferences('alice', head)).toEqual({ [head]: sha })
    await forge.host.branches.remove({ project, branch: 'topic' })
    await forge.platform.jobs.drain()
    expect(await readReferences('alice', 'refs/merge-requests/*')).toMatchObject({ [head]: sha })
    expect(await readReferences('alice', merge)).toEqual({})
  })

  test('include the merge only while it is possible', async () => {
    const { project, head, merge, iid } = await open(from)
    await commit(project, 'topic', 'README.md', 'Mine')
    await commit('acme/app', 'main', 'README.md', 'Yours')
    await forge.host.mergeRequests.get({ project: 'acme/app', mergeRequest: iid })
    expect(Object.keys(await readReferences('alice', 'refs/merge-requests/*'))).toEqual([head])
    await commit(project, 'topic', 'README.md', 'Yours')
    const { commitId } = await forge.host.mergeRequests.getMergeRef({ project: 'acme/app', mergeRequest: iid })
    expect(await readReferences('alice', merge)).toEqual({ [merge]: commitId })
  })

  test('cannot be pushed', async () => {
    const { head, sha } = await open(from)
    await client.git('.', 'clone', '--quiet', urlOf('alice'), 'work')
    for (const refspec of [
      `HEAD:${head}`,
      `:${head}`,
      'HEAD:refs/merge-requests/99/head',
      'HEAD:refs/merge-requests/99/merge',
    ]) {
      const { code, messages } = await client.run('work', 'push', 'origin', '--force', refspec)
      expect(code).not.toBe(0)
      expect(messages).toContain('the references of merge requests follow their branches')
    }
    expect(Object.keys(await readReferences('alice', 'refs/merge-requests/99/*'))).toEqual([])
    expect(await readReferences('alice', head)).toEqual({ [head]: sha })
    await client.git('work', 'remote', 'set-url', 'origin', urlOf('alice'))
    await client.run('work', 'push', '--quiet', '--mirror', 'origin')
    expect(await readReferences('alice', head)).toEqual({ [head]: sha })
  })

  test('are hidden where merge requests are', async () => {
    const { head, sha } = await open(from)
    await forge.host.projects.update({ project: 'acme/app', mergeRequestsAccessLevel: 'private' })
    expect(await readReferences('mallory', 'refs/merge-requests/*')).toEqual({})
    // git sends the credentials of a URL only to servers that ask for them.
    const credentials = Buffer.from(`bob:${forge.token('bob')}`).toString('base64')
    const header = `http.extraHeader=Authorization: Basic ${credentials}`
    const output = await client.git('.', '-c', header, 'ls-remote', `${forge.url}/acme/app.git`, head)
    expect(output).toBe(`${sha}\t${head}`)
  })
})

test('forks have no references of merge requests', async () => {
  await open('project')
  const copy = await forge.as('dave').forks.create({ project: 'acme/app' })
  const output = await client.git('.', 'ls-remote', urlOf('dave', copy.fullPath))
  expect(output).not.toContain('merge-requests')
})

describe('allow_collaboration', () => {
  const allow = async (allowCollaboration: boolean) => {
    await open('fork')
    await forge.as('mallory').mergeRequests.update({ project: 'acme/app', mergeRequest: 1, allowCollaboration })
  }
  const push = (refspec: string) => client.run('work', 'push', urlOf('alice', 'mallory/app'), refspec)
  const cloneTopic = async () => {
    await client.git('.', 'clone', '--quiet', '--branch', 'topic', `${forge.url}/mallory/app.git`, 'work')
    return client.commit('work', 'By the maintainer', { 'fixed.md': 'Fixed' })
  }

  test('lets members of the target project push to the source branch, and nowhere else', async () => {
    await open('fork')
    const sha = await cloneTopic()
    expect(await push('HEAD:topic')).toMatchObject({ messages: expect.stringContaining('403') })
    await forge.as('mallory').mergeRequests.update({ project: 'acme/app', mergeRequest: 1, allowCollaboration: true })
    for (const refspec of ['HEAD:main', 'HEAD:new', ':topic', 'HEAD:refs/tags/topic'])
      expect((await push(refspec)).messages).toContain('You are not allowed to push code to this project.')
    expect(await push('HEAD:topic')).toMatchObject({ code: 0 })
    await forge.platform.jobs.drain()
    const mergeRequest = await forge.host.mergeRequests.get({ project: 'acme/app', mergeRequest: 1 })
    expect(mergeRequest).toMatchObject({ sha, allowCollaboration: true })
  })

  test.each(['closed', 'private', 'protected'])('ends when the merge request or the project is %s', async (state) => {
    await allow(true)
    await cloneTopic()
    const project = 'mallory/app'
    if (state === 'closed')
      await forge.host.mergeRequests.update({ project: 'acme/app', mergeRequest: 1, stateEvent: 'close' })
    if (state === 'private') await forge.host.projects.update({ project, visibility: 'private' })
    if (state === 'protected') await forge.host.protectedBranches.create({ project, name: 'topic' })
    expect((await push('HEAD:topic')).code).not.toBe(0)
  })

  test('is decided by those who may push to the fork', async () => {
    await open('fork')
    const allowing = { project: 'acme/app', mergeRequest: 1, allowCollaboration: true }
    await expect(forge.as('alice').mergeRequests.update(allowing)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the references of a merge request from a fork', () => {
  const changes: Readonly<Record<string, (project: number | string) => Promise<unknown>>> = {
    'is renamed': (project) => forge.host.projects.update({ project, path: 'renamed' }),
    'is transferred': (project) => forge.host.projects.transfer({ project, namespace: 'elsewhere' }),
    'is archived': (project) => forge.host.projects.archive({ project }),
    'becomes private': (project) => forge.host.projects.update({ project, visibility: 'private' }),
    'is no fork any more': () => forge.host.forks.unlink({ project: fork }),
  }
  const fetchHead = async (head: string) => {
    await forge.platform.jobs.drain()
    const { fullPath } = await forge.host.projects.get({ project: target })
    await client.git('.', 'init', '--quiet', 'work')
    await client.git('work', 'fetch', '--quiet', urlOf('alice', fullPath), head)
    return client.git('work', 'rev-parse', 'FETCH_HEAD')
  }
  let target: number
  beforeEach(async () => {
    target = (await forge.host.projects.get({ project: 'acme/app' })).id
    await forge.host.groups.create({ path: 'elsewhere', name: 'Elsewhere', visibility: 'public' })
    await forge.host.members.add({ group: 'elsewhere', users: ['alice'], accessLevel: 30 })
  })

  test.each(Object.keys(changes))('stay when the fork %s', async (name) => {
    const { head, sha } = await open('fork')
    await changes[name]?.(fork)
    expect(await fetchHead(head)).toBe(sha)
  })

  test('stay when the fork is removed', async () => {
    const { head, sha } = await open('fork')
    await forge.host.projects.remove({ project: fork })
    expect(await fetchHead(head)).toBe(sha)
  })

  test.each(Object.keys(changes))('stay when the target %s', async (name) => {
    const { head, sha } = await open('fork')
    await changes[name]?.(target)
    expect(await fetchHead(head)).toBe(sha)
  })
})
