import { execFileSync } from 'node:child_process'
import type { HostStatement } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stored } from '../../../../../../../test/stored.ts'
import { openDemo } from '../../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo })
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'Alice Liddell', email: 'alice@example.com' }
type Files = Record<string, string>

const sql: HostStatement = (text) => forge.platform.atomic((_platform, _at, run) => run(text))
const ofProject = "where project_id = (select id from project where path = 'web')"
const git = async (...args: readonly string[]) => {
  const [row] = await sql(`select place from project_repository ${ofProject}`)
  const directory = forge.platform.ports.repositories.directoryOf(String(row?.place))
  return execFileSync('git', [`--git-dir=${directory}`, ...args], { encoding: 'utf8' }).trim()
}

const commit = async (branch: string, message: string, files: Files, parents?: string[]) => {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { ids } = await forge.host.commits.import({
    project,
    commits: [{ branch, message, author, files: list, ...(parents && { parents }) }],
  })
  return ids[0] as string
}

const configure = (settings: object) => forge.host.projects.update({ project, settings })
const mergeRequests = (username = 'bob') => forge.as(username).mergeRequests

/** `main` with one commit, `topic` with two more, and a merge request between them. */
const open = async (input: object = {}) => {
  const base = await commit('main', 'Begin', { a: 'one\n' })
  await commit('topic', 'First change', { b: 'two\n' }, [base])
  const head = await commit('topic', 'Second change\n\nWith a reason.', { b: 'three\n' })
  const { iid } = await mergeRequests().create({ project, title: 'A topic', sourceBranch: 'topic', ...input })
  return { base, head, mergeRequest: iid, ref: { project, mergeRequest: iid } }
}

test('a template names reviewers and approvers without their private e-mail addresses', async () => {
  await configure({ mergeCommitTemplate: '%{title}\n\n%{reviewed_by}\n%{approved_by}\n%{merge_request_author}' })
  await forge.host.users.update({ user: 'alice', publicEmail: 'alice@public.example' })
  const { ref } = await open({ reviewers: ['alice', 'carol'] })
  await forge.as('alice').mergeRequestApprovals.approve(ref)
  await mergeRequests('alice').merge(ref)
  const message = await git('log', '-1', '--format=%B', 'main')
  expect(message).toContain('Reviewed-by: Alice Liddell <alice@public.example>')
  expect(message).toMatch(/Reviewed-by: Carol Danvers <\d+-carol@users\.noreply\.localhost>/)
  expect(message).toMatch(/\nBob Builder <\d+-bob@users\.noreply\.localhost>/)
  expect(message).not.toMatch(/(?:alice|bob|carol)@example\.com/)
})

test('a new merge request is compared with its target branch', async () => {
  const { base, head, ref } = await open({ reviewers: ['alice'] })
  expect(await forge.as('bob').mergeRequests.get(ref)).toMatchObject({
    sha: head,
    diffRefs: { baseSha: base, headSha: head, startSha: base },
    changesCount: '1',
    mergeStatus: 'can_be_merged',
    detailedMergeStatus: 'mergeable',
    reviewers: [{ username: 'alice' }],
    canMerge: true,
  })
  await commit('main', 'Conflict', { b: 'other\n' })
  const { items } = await mergeRequests().list({ project, sourceBranch: 'topic' })
  expect(items[0]).toMatchObject({ sha: head, mergeStatus: 'unchecked', detailedMergeStatus: 'unchecked' })
  expect(await forge.as('bob').mergeRequests.get({ ...ref, includeDivergedCommitsCount: true })).toMatchObject({
    mergeStatus: 'cannot_be_merged',
    detailedMergeStatus: 'conflict',
    hasConflicts: true,
    divergedCommitsCount: 1,
  })
})

test('review requests are recorded as system notes', async () => {
  const { ref } = await open({ reviewers: ['alice'] })
  await mergeRequests().update({ ...ref, reviewers: ['carol'] })
  const { items } = await forge.as('bob').notes.list({ ...ref, sort: 'asc' })
  expect(items.map(({ body }) => body).sort()).toEqual([
    'removed review request for @alice',
    'requested review from @carol',
  ])
  await forge.as('bob').mergeRequests.update({ ...ref, reviewers: ['bob'] })
  await forge.as('bob').mergeRequestApprovals.approve(ref)
  expect((await mergeRequests().listReviewers(ref)).items).toMatchObject([
    { user: { username: 'bob' }, state: 'approved' },
  ])
})

test('users name existing branches; the host can record any', async () => {
  await commit('main', 'Begin', { a: 'one\n' })
  const input = { project, title: 'x', sourceBranch: 'missing' }
  await expect(mergeRequests().create(input)).rejects.toMatchObject({
    code: 'invalid',
    problems: [{ fields: ['sourceBranch'], message: 'does not exist' }],
  })
  await commit('topic', 'Change', { b: 'two\n' })
  const toNowhere = { project, title: 'x', sourceBranch: 'topic', targetBranch: 'nowhere' }
  await expect(mergeRequests().create(toNowhere)).rejects.toMatchObject({ problems: [{ fields: ['targetBranch'] }] })
  const { iid } = await forge.host.mergeRequests.create({ ...input, author: 'bob' })
  const ref = { project, mergeRequest: iid }
  expect(await forge.as('bob').mergeRequests.get(ref)).toMatchObject({ detailedMergeStatus: 'commits_status' })
  await expect(mergeRequests().merge(ref)).rejects.toMatchObject({ code: 'conflict', reason: 'not_mergeable' })
  expect(await forge.host.mergeRequests.merge(ref)).toMatchObject({ state: 'merged', mergeCommitSha: null })
})

describe('a merge', () => {
  test('creates a merge commit, closes issues and removes the source branch', async () => {
    const { base, head, ref } = await open({ description: 'Closes #1 and fixes #2', removeSourceBranch: true })
    const merged = await mergeRequests().merge({ ...ref, sha: head })
    expect(merged).toMatchObject({ state: 'merged', mergedBy: { username: 'bob' }, squashCommitSha: null, sha: head })
    expect(await git('rev-parse', 'main')).toBe(merged.mergeCommitSha)
    expect(await git('log', '-1', '--format=%P%n%an <%ae>%n%B', 'main')).toBe(
      `${base} ${head}\nBob Builder <bob@example.com>\nMerge branch 'topic' into 'main'\n\nA topic\n\nCloses #1 and #2\n\nSee merge request acme/web!${ref.mergeRequest}`,
    )
    expect(await git('branch', '--format=%(refname:short)')).toBe('main')
    for (const issue of [1, 2])
      expect(await forge.host.issues.get({ project, issue })).toMatchObject({
        state: 'closed',
        closedBy: { username: 'bob' },
      })
    const { items } = await forge.as('bob').events.list({ project })
    expect(items.filter(({ actionName }) => actionName === 'accepted')).toMatchObject([{ author: { username: 'bob' } }])
    const notes = await forge.as('bob').notes.list(ref)
    expect(notes.items.map(({ body }) => body)).toEqual(['merged'])
    const commits = await forge.as('bob').mergeRequests.listCommits(ref)
    expect(commits.items.map(({ title }) => title)).toEqual(['Second change', 'First change'])
    expect(await sql(`select id from reference_change ${ofProject}`)).toEqual([])
  })

  test('does not close issues of merges into other branches, or if the project does not', async () => {
    await configure({ autocloseReferencedIssues: false })
    const { ref } = await open({ description: 'Closes #1' })
    await mergeRequests().merge(ref)
    expect(await forge.host.issues.get({ project, issue: 1 })).toMatchObject({ state: 'opened' })
  })

  test('closes issues of other projects that the user can change, in a job', async () => {
    const other = 'acme/tools/deploy'
    await forge.host.issues.create({ project: other, title: 'There', author: 'alice' })
    const { ref } = await open({ description: `Closes ${other}#1` })
    await mergeRequests().merge(ref)
    await forge.platform.jobs.drain()
    expect(await forge.host.issues.get({ project: other, issue: 1 })).toMatchObject({
      state: 'closed',
      closedBy: { username: 'bob' },
    })
  })

  test.each([
    ['merge', 'never', true, false, 2],
    ['merge', 'always', false, true, 2],
    ['rebase_merge', 'default_off', undefined, false, 2],
    ['rebase_merge', 'default_on', undefined, true, 2],
    ['ff', 'default_on', false, false, 0],
    ['ff', 'default_off', true, true, 0],
  ] as const)(
    'with the method %s and squash option %s',
    async (mergeMethod, squashOption, squash, isSquashed, parents) => {
      await configure({ mergeMethod, squashOption })
      const { base, head, ref } = await open()
      const merged = await mergeRequests().merge({ ...ref, ...(squash !== undefined && { squash }) })
      const tip = await git('rev-parse', 'main')
      expect(merged.mergeCommitSha).toBe(parents ? tip : null)
      if (parents) expect(await git('log', '-1', '--format=%P', tip)).toBe(`${base} ${merged.squashCommitSha ?? head}`)
      if (isSquashed) {
        const squashed = merged.squashCommitSha as string
        expect(await git('log', '-1', '--format=%P %an %cn %s', squashed)).toBe(
          `${base} Bob Builder Bob Builder A topic`,
        )
        if (!parents) expect(tip).toBe(squashed)
      } else {
        expect(merged.squashCommitSha).toBeNull()
        if (!parents) expect(tip).toBe(head)
      }
      expect(await git('rev-parse', `${tip}^{tree}`)).toBe(await git('rev-parse', `${head}^{tree}`))
      expect(merged.squash).toBe(isSquashed)
    },
  )

  test('of diverged branches combines both, except for methods that require a rebase', async () => {
    const { ref } = await open()
    await commit('main', 'Meanwhile', { c: 'four\n' })
    await configure({ mergeMethod: 'ff' })
    expect(await forge.as('bob').mergeRequests.get(ref)).toMatchObject({ detailedMergeStatus: 'need_rebase' })
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject({ code: 'unprocessable' })
    await configure({ mergeMethod: 'merge' })
    await mergeRequests().merge({ ...ref, mergeCommitMessage: 'Together' })
    expect(await git('ls-tree', '--name-only', 'main')).toBe('a\nb\nc')
    expect(await git('log', '-1', '--format=%s', 'main')).toBe('Together')
  })

  test('of conflicting branches changes nothing', async () => {
    const { ref } = await open()
    const tip = await commit('main', 'Conflict', { b: 'other\n' })
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'Branch cannot be merged',
    })
    expect(await git('rev-parse', 'main')).toBe(tip)
    expect((await mergeRequests().get(ref)).state).toBe('opened')
    expect(await sql(`select id from reference_change ${ofProject}`)).toEqual([])
  })

  test('requires the named head', async () => {
    const { base, head, ref } = await open()
    await expect(mergeRequests().merge({ ...ref, sha: base })).rejects.toMatchObject({
      code: 'conflict',
      message: `SHA does not match HEAD of source branch: ${head}`,
    })
  })

  test('requires an open merge request that is no draft, with the discussions and approvals of the project', async () => {
    const { ref } = await open({ title: 'Draft: a topic' })
    const status = async () => (await mergeRequests().get(ref)).detailedMergeStatus
    const rejection = { code: 'conflict', reason: 'not_mergeable' }
    expect(await status()).toBe('draft_status')
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject(rejection)
    await mergeRequests().update({ ...ref, title: 'A topic' })
    await configure({ onlyAllowMergeIfAllDiscussionsAreResolved: true, approvalsBeforeMerge: 1 })
    const { id: discussion } = await stored(forge.as('alice').discussions.create({ ...ref, body: 'Why?' }))
    expect(await mergeRequests().get(ref)).toMatchObject({
      detailedMergeStatus: 'discussions_not_resolved',
      blockingDiscussionsResolved: false,
    })
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject(rejection)
    await forge.as('bob').discussions.resolve({ ...ref, discussion, resolved: true })
    expect(await status()).toBe('not_approved')
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject(rejection)
    await forge.as('alice').mergeRequestApprovals.approve(ref)
    expect(await status()).toBe('mergeable')
    await mergeRequests().update({ ...ref, stateEvent: 'close' })
    expect(await status()).toBe('not_open')
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject(rejection)
    await mergeRequests().update({ ...ref, stateEvent: 'reopen' })
    await mergeRequests().merge(ref)
    await expect(mergeRequests().merge(ref)).rejects.toMatchObject(rejection)
  })

  test('is done once by concurrent calls, and others of the same branch follow', async () => {
    const { base, ref } = await open()
    const refs = [ref]
    for (const name of ['x', 'y', 'z']) {
      await commit(name, `Add ${name}`, { [name]: name }, [base])
      const { iid } = await mergeRequests().create({ project, title: name, sourceBranch: name })
      refs.push({ project, mergeRequest: iid })
    }
    const results = await Promise.allSettled([...refs, ref].map((one) => mergeRequests().merge(one)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await git('ls-tree', '--name-only', 'main')).toBe('a\nb\nx\ny\nz')
    expect(await git('rev-list', '--count', '--merges', 'main')).toBe('4')
  })
})

describe('the merged result', () => {
  const read = (ref: { project: string; mergeRequest: number }) => mergeRequests('carol').getMergeRef(ref)
  const rejected = { code: 'invalid', message: 'Merge request is not mergeable' }

  test('is a commit of both branches, which do not move', async () => {
    const { base, head, ref } = await open()
    const target = await commit('main', 'Other', { c: 'x\n' })
    const { commitId } = await read(ref)
    expect(await git('log', '-1', '--format=%P %an %s', commitId)).toBe(
      `${target} ${head} Bob Builder Merge branch 'topic' into 'main'`,
    )
    expect(await git('ls-tree', '--name-only', commitId)).toBe('a\nb\nc')
    expect(await git('rev-parse', 'main', 'topic')).toBe(`${target}\n${head}`)
    expect(await read(ref)).toEqual({ commitId })
    await commit('main', 'Another', { d: 'x\n' })
    expect((await read(ref)).commitId).not.toBe(commitId)
    expect(base).not.toBe(target)
  })

  test('requires an open merge request with changes and without conflicts', async () => {
    const { ref } = await open()
    await commit('main', 'Conflict', { b: 'other\n' })
    await expect(read(ref)).rejects.toMatchObject(rejected)
    await mergeRequests().update({ ...ref, stateEvent: 'close' })
    await expect(read(ref)).rejects.toMatchObject(rejected)
    const missing = await mergeRequests().create({
      project,
      title: 'Equal',
      sourceBranch: 'main',
      targetBranch: 'topic',
    })
    await forge.host.branches.remove({ project, branch: 'topic' })
    await expect(read({ project, mergeRequest: missing.iid })).rejects.toMatchObject(rejected)
    await expect(read({ project, mergeRequest: 1 })).rejects.toMatchObject(rejected)
  })

  test('does not exist without new commits or a repository', async () => {
    await expect(read({ project, mergeRequest: 1 })).rejects.toMatchObject(rejected)
    const tip = await commit('main', 'Begin', { a: 'one\n' })
    await commit('old', 'Old', { b: 'two\n' }, [tip])
    const { iid } = await mergeRequests().create({ project, title: 'Old', sourceBranch: 'old' })
    await git('update-ref', 'refs/heads/main', await git('rev-parse', 'old'))
    await expect(read({ project, mergeRequest: iid })).rejects.toMatchObject(rejected)
  })
})

describe('an interrupted merge', () => {
  /** Runs a merge whose process ends before or after git moves the references. */
  const interrupt = async (ref: { project: string; mergeRequest: number }, when: 'before' | 'after') => {
    const [row] = await sql(`select place from project_repository ${ofProject}`)
    const { git: port, repositories } = forge.platform.ports
    const repository = port.open(repositories.directoryOf(String(row?.place)))
    const { updateReferences } = repository
    const interrupted: typeof updateReferences = async (changes) => {
      if (when === 'after') await updateReferences(changes)
      // Another process takes the lock, so this one can record nothing.
      await sql(`update repository_lock set owner = 'other' ${ofProject}`)
      throw new Error('interrupted')
    }
    Object.assign(repository, { updateReferences: interrupted })
    try {
      await expect(mergeRequests().merge(ref)).rejects.toThrow('interrupted')
    } finally {
      Object.assign(repository, { updateReferences })
    }
    const merging = { message: 'The merge request is being merged' }
    await expect(mergeRequests().update({ ...ref, stateEvent: 'close' })).rejects.toMatchObject(merging)
    await expect(mergeRequests('alice').remove(ref)).rejects.toMatchObject(merging)
    await sql(`delete from repository_lock ${ofProject}`)
  }

  test('is completed by the next change, if git has made it', async () => {
    const { ref } = await open({ description: 'Closes #1' })
    await interrupt(ref, 'after')
    expect((await mergeRequests().get(ref)).state).toBe('opened')
    await forge.host.tags.create({ project, tagName: 'next' })
    expect(await mergeRequests().get(ref)).toMatchObject({
      state: 'merged',
      mergedBy: { username: 'bob' },
      mergeCommitSha: await git('rev-parse', 'main'),
    })
    expect(await forge.host.issues.get({ project, issue: 1 })).toMatchObject({ closedBy: { username: 'bob' } })
  })

  test('is forgotten, if git has not made it', async () => {
    const { base, ref } = await open()
    await interrupt(ref, 'before')
    await forge.host.tags.create({ project, tagName: 'next' })
    expect((await mergeRequests().get(ref)).state).toBe('opened')
    expect(await git('rev-parse', 'main')).toBe(base)
    expect((await mergeRequests().merge(ref)).state).toBe('merged')
  })
})

test('a push that contains the source branch marks the merge request as merged', async () => {
  const { base, head, ref } = await open()
  await forge.platform.jobs.drain()
  const list = [{ path: 'c', content: 'c' }]
  const { ids } = await forge.as('alice').commits.import({
    project,
    commits: [{ branch: 'main', message: 'Merge topic', author, files: list, parents: [base, head] }],
  })
  await forge.platform.jobs.drain()
  expect(await mergeRequests().get(ref)).toMatchObject({
    state: 'merged',
    mergedBy: { username: 'alice' },
    mergeCommitSha: ids[0],
  })
})

describe('a rebase', () => {
  test('moves the commits after those of the target branch', async () => {
    const { ref } = await open()
    const tip = await commit('main', 'Meanwhile', { c: 'four\n' })
    expect(await mergeRequests().rebase(ref)).toEqual({ mergeError: null })
    expect(await git('log', '--format=%s %an %cn', `${tip}..topic`)).toBe(
      'Second change Alice Liddell Bob Builder\nFirst change Alice Liddell Bob Builder',
    )
    expect(await git('merge-base', 'topic', 'main')).toBe(tip)
    expect(await mergeRequests().get(ref)).toMatchObject({ sha: await git('rev-parse', 'topic') })
  })

  test('stores the reason of a failure', async () => {
    const { head, ref } = await open()
    await commit('main', 'Conflict', { b: 'other\n' })
    expect((await mergeRequests().rebase(ref)).mergeError).toContain('Rebase failed')
    expect(await git('rev-parse', 'topic')).toBe(head)
    expect((await mergeRequests().get(ref)).mergeError).toContain('Rebase failed')
  })
})
