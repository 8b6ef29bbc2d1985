import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fullSeed, readIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { createClient } from './client.ts'

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
const { data, send, post, rest } = createClient(() => forge)
const base = '/projects/acme%2Fweb'
const sha = 'a'.repeat(40)

beforeAll(async () => {
  forge = await world({ seed: fullSeed, time: '2026-01-01T00:00:00Z' })
  ids = await readIds(forge)
  await forge.as('bob').releases.create({
    project: 'acme/web',
    tagName: 'v9',
    name: 'Nine',
    ref: 'main',
    assets: { links: [{ name: 'App', url: 'https://example.com/app' }] },
  })
  await forge
    .as('alice')
    .mergeRequests.update({ project: 'acme/web', mergeRequest: 1, reviewers: ['carol'], assignees: ['bob'] })
  await forge.host.pipelines.record({
    project: 'acme/web',
    ref: 'cache-home',
    sha,
    mergeRequest: 1,
    jobs: [
      { name: 'unit', status: 'success', coverage: 81.5 },
      { name: 'lint', status: 'running' },
    ],
  })
})
afterAll(() => forge.close())

// biome-ignore lint/suspicious/noExplicitAny: rows of any type
type Row = any
const fieldOf = (connection: { nodes: Row[] }, field: string) => connection.nodes.map((node) => node[field])

describe('lookups', () => {
  test('namespaces are groups, projects and users', async () => {
    const query =
      'query ($path: ID!) { namespace(fullPath: $path) { id name fullPath fullName workItemTypes { nodes { name } } workItems { count } } }'
    const read = async (path: string) => (await data(query, { as: 'alice', variables: { path } })).namespace
    const group = await forge.host.groups.get({ group: 'acme' })
    expect(await read('acme')).toMatchObject({
      id: `gid://gitlab/Group/${group.id}`,
      fullPath: 'acme',
      workItems: { count: 1 },
    })
    const project = await rest(base, 'alice')
    expect(await read('acme/web')).toMatchObject({
      id: `gid://gitlab/Namespaces::ProjectNamespace/${project.id}`,
      fullPath: 'acme/web',
      fullName: project.name_with_namespace,
      workItemTypes: { nodes: [{ name: 'Issue' }] },
    })
    expect(await read('alice')).toMatchObject({
      id: expect.stringMatching(/UserNamespace/),
      workItemTypes: { nodes: [] },
      workItems: { count: 0 },
    })
    expect(await read('missing')).toBeNull()
  })

  test('projects and users by ids and in an order', async () => {
    const { id } = await forge.host.projects.get({ project: 'acme/web' })
    const users = await rest('/users?username=bob', 'alice')
    const query = `query ($projects: [ID!], $users: [ID!]) {
      projects(ids: $projects) { nodes { fullPath } }
      users(ids: $users, usernames: ["alice"]) { nodes { username } }
      sorted: projects(sort: "name_asc", first: 100) { nodes { name } }
    }`
    const variables = {
      projects: [`gid://gitlab/Project/${id}`, 'gid://gitlab/Project/999999'],
      users: [`gid://gitlab/User/${users[0].id}`, 'gid://gitlab/User/999999'],
    }
    const found = await data(query, { as: 'alice', variables })
    expect(found.projects.nodes).toEqual([{ fullPath: 'acme/web' }])
    expect(fieldOf(found.users, 'username')).toEqual(['alice', 'bob'])
    const sorted: Row[] = await rest('/projects?order_by=name&sort=asc&per_page=100', 'alice')
    expect(fieldOf(found.sorted, 'name')).toEqual(sorted.map(({ name }) => name))
    const many = Array.from({ length: 101 }, (_, at) => `gid://gitlab/Project/${at}`)
    expect((await send(query, { as: 'alice', variables: { ...variables, projects: many } })).errors[0].message).toBe(
      'More than 100 ids',
    )
    expect((await send('{ projects(sort: "size") { count } }', { as: 'alice' })).data).toBeDefined()
  })

  test('milestones of groups and projects by id', async () => {
    const query = 'query ($id: MilestoneID!) { milestone(id: $id) { title state webPath } }'
    const read = async (id: unknown) =>
      (await data(query, { as: 'alice', variables: { id: `gid://gitlab/Milestone/${id}` } })).milestone
    expect(await read(ids.milestone_id)).toMatchObject({ title: 'Of the project', state: 'active' })
    expect(await read(ids.group_milestone)).toMatchObject({ title: 'Of the group' })
    expect(await read(999_999)).toBeNull()
  })
})

describe('pages', () => {
  const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
    project(fullPath: "acme/web") {
      issues(first: $first, after: $after, last: $last, before: $before) {
        nodes { iid } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }`
  const page = async (variables: object) => {
    const { nodes, pageInfo } = (await data(query, { as: 'alice', variables })).project.issues
    return { iids: nodes.map(({ iid }: Row) => iid), ...pageInfo }
  }

  test('are read backwards from the end', async () => {
    const all = (await page({})).iids
    expect(all.length).toBeGreaterThan(2)
    const read: string[] = []
    for (let before: string | undefined; ; ) {
      const { iids, startCursor, hasPreviousPage } = await page({ last: 2, before })
      read.unshift(...iids)
      before = startCursor
      if (!hasPreviousPage) break
    }
    expect(read).toEqual(all)
    const first = await page({ first: 2 })
    expect((await page({ first: 10, before: first.endCursor })).iids).toEqual(all.slice(0, 1))
    expect((await page({ last: 10, after: first.endCursor })).iids).toEqual(all.slice(2))
    expect((await page({ last: 0 })).iids).toEqual([])
    expect((await send(query, { as: 'alice', variables: { first: 1, last: 1 } })).errors[0].message).toBe(
      'Provide either first or last, not both of them',
    )
  })

  test('of epics and issues together contain each item once', async () => {
    for (const title of ['A', 'B', 'C']) await forge.as('alice').epics.create({ group: 'acme', title })
    const list = `query ($first: Int, $after: String) {
      group(fullPath: "acme") {
        workItems(includeDescendants: true, first: $first, after: $after) {
          count nodes { title workItemType { name } } pageInfo { hasNextPage endCursor }
        }
      }
    }`
    const read = async (first: number): Promise<string[]> => {
      const titles: string[] = []
      for (let after: string | undefined; ; ) {
        const { group } = await data(list, { as: 'alice', variables: { first, after } })
        titles.push(...group.workItems.nodes.map(({ title, workItemType }: Row) => `${workItemType.name} ${title}`))
        expect(group.workItems.count).toBe(expected.length)
        after = group.workItems.pageInfo.endCursor
        if (!group.workItems.pageInfo.hasNextPage) return titles
      }
    }
    const epics: Row[] = await rest('/groups/acme/epics?per_page=100', 'alice')
    const issues: Row[] = await rest('/groups/acme/issues?per_page=100', 'alice')
    const expected = [...epics.map(({ title }) => `Epic ${title}`), ...issues.map(({ title }) => `Issue ${title}`)]
    for (const first of [1, 2, 3, 100]) expect(await read(first)).toEqual(expected)
    const filtered = `{ group(fullPath: "acme") {
      epics: workItems(includeDescendants: true, types: [EPIC]) { count }
      issues: workItems(includeDescendants: true, types: [ISSUE]) { count }
      tasks: workItems(includeDescendants: true, types: [TASK]) { count }
      assigned: workItems(assigneeUsername: "bob") { count }
    } }`
    expect((await data(filtered, { as: 'alice' })).group).toEqual({
      epics: { count: epics.length },
      issues: { count: issues.length },
      tasks: { count: 0 },
      assigned: { count: 0 },
    })
  })

  test('several queries in one body are rejected', async () => {
    const response = await post([{ query: '{ echo(text: "a") }' }, { query: '{ echo(text: "b") }' }])
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      errors: [{ message: 'Several queries in one body are not supported: send one request for each' }],
    })
  })
})

describe('repository', () => {
  test('trees and files equal those of the REST API', async () => {
    const query = `{ project(fullPath: "acme/web") { repository {
      rootRef
      tree(recursive: true) {
        blobs { nodes { id name path type mode webPath } }
        trees { nodes { path type } }
        lastCommit { sha title authorName webUrl }
      }
      blobs(paths: ["README.md", "missing"]) { nodes { path size rawBlob rawTextBlob webPath } }
    } } }`
    const { repository } = (await data(query, { as: 'bob' })).project
    const entries: Row[] = await rest(`${base}/repository/tree?recursive=true&per_page=100`, 'bob')
    const pathsOf = (type: string) => entries.filter((entry) => entry.type === type).map(({ path }) => path)
    expect(fieldOf(repository.tree.blobs, 'path')).toEqual(pathsOf('blob'))
    expect(fieldOf(repository.tree.trees, 'path')).toEqual(pathsOf('tree'))
    const [commit] = await rest(`${base}/repository/commits`, 'bob')
    expect(repository.tree.lastCommit).toEqual({
      sha: commit.id,
      title: commit.title,
      authorName: commit.author_name,
      webUrl: commit.web_url,
    })
    const file = await rest(`${base}/repository/files/README.md?ref=main`, 'bob')
    const content = Buffer.from(file.content, 'base64').toString()
    expect(repository.blobs.nodes).toEqual([
      {
        path: 'README.md',
        size: file.size,
        rawBlob: content,
        rawTextBlob: content,
        webPath: '/acme/web/-/blob/main/README.md',
      },
    ])
    const missing = '{ project(fullPath: "acme/web") { repository { tree(ref: "missing") { blobs { count } } } } }'
    expect((await data(missing, { as: 'bob' })).project.repository.tree).toBeNull()
    const paths = Array.from({ length: 101 }, (_, at) => String(at))
    const many =
      'query ($paths: [String!]!) { project(fullPath: "acme/web") { repository { blobs(paths: $paths) { count } } } }'
    expect((await send(many, { as: 'bob', variables: { paths } })).errors[0].message).toBe('More than 100 paths')
  })

  test('large trees and binary files', async () => {
    const actions = Array.from({ length: 1_000 }, (_, at) => ({
      action: 'create' as const,
      filePath: `many/${at}`,
      content: '',
    }))
    await forge.as('bob').commits.create({
      project: 'acme/web',
      branch: 'large',
      startBranch: 'main',
      commitMessage: 'Many',
      actions: [...actions.slice(1), { action: 'create', filePath: 'binary', content: 'AAE=', encoding: 'base64' }],
    })
    const query = `{ project(fullPath: "acme/web") { repository {
      tree(ref: "large", path: "many") { blobs(first: 1) { count } }
      blobs(ref: "large", paths: ["binary"]) { nodes { rawTextBlob size } }
    } } }`
    expect((await data(query, { as: 'bob' })).project.repository).toEqual({
      tree: { blobs: { count: 999 } },
      blobs: { nodes: [{ rawTextBlob: null, size: 2 }] },
    })
    const all =
      '{ project(fullPath: "acme/web") { repository { tree(ref: "large", recursive: true) { blobs { count } } } } }'
    expect((await send(all, { as: 'bob' })).errors[0].message).toMatch(/more than 1000 entries/)
  })

  test('the size of files is limited', async () => {
    const content = 'x'.repeat(8 * 1024 * 1024)
    const actions = ['1', '2', '3'].map((filePath) => ({ action: 'create' as const, filePath, content }))
    const input = { project: 'acme/web', branch: 'heavy', startBranch: 'main', commitMessage: 'Heavy' }
    await forge.as('bob').commits.create({ ...input, actions })
    const query =
      'query ($paths: [String!]!) { project(fullPath: "acme/web") { repository { blobs(ref: "heavy", paths: $paths) { nodes { size } } } } }'
    const read = (paths: string[]) => send(query, { as: 'bob', variables: { paths } })
    expect((await read(['1', '2'])).data.project.repository.blobs.nodes).toHaveLength(2)
    expect((await read(['1', '2', '3'])).errors[0].message).toMatch(/^The files are too large/)
    // Fields are read at the same time: each file counts before it is read.
    const alias = (index: number) => `a${index}: repository { blobs(ref: "heavy", paths: ["1"]) { nodes { size } } }`
    const aliases = `{ project(fullPath: "acme/web") { ${Array.from({ length: 40 }, (_, at) => alias(at)).join(' ')} } }`
    const { data, errors } = await send(aliases, { as: 'bob' })
    const files = Object.values<{ blobs: { nodes: unknown[] } | null }>(data.project)
    expect(files.filter(({ blobs }) => blobs !== null)).toHaveLength(2)
    expect(errors).toHaveLength(38)
  })

  test('the texts of a reply are limited', async () => {
    const { iid } = await forge.as('bob').issues.create({
      project: 'acme/web',
      title: 'Long',
      description: 'x'.repeat(1_000_000),
    })
    const read = (count: number) => {
      const fields = Array.from({ length: count }, (_, index) => `d${index}: description`).join(' ')
      return send(`{ project(fullPath: "acme/web") { issue(iid: "${iid}") { ${fields} } } }`, { as: 'bob' })
    }
    expect((await read(20)).errors).toBeUndefined()
    expect((await read(60)).errors[0].message).toMatch(/^The texts are too large/)
  })

  test('releases equal those of the REST API', async () => {
    const query = `{ project(fullPath: "acme/web") {
      releases { nodes { tagName name description releasedAt upcomingRelease author { username } commit { sha } links { selfUrl }
        assets { count links { nodes { name url linkType } } sources { nodes { format url } } } } }
      release(tagName: "v9") { name }
      missing: release(tagName: "v0") { name }
    } }`
    const { project } = await data(query, { as: 'bob' })
    const releases: Row[] = await rest(`${base}/releases`, 'bob')
    expect(project.releases.nodes).toEqual(
      releases.map((release) => ({
        tagName: release.tag_name,
        name: release.name,
        description: release.description,
        releasedAt: release.released_at,
        upcomingRelease: release.upcoming_release,
        author: release.author && { username: release.author.username },
        commit: release.commit && { sha: release.commit.id },
        links: { selfUrl: release._links.self },
        assets: {
          count: release.assets.count,
          links: { nodes: release.assets.links.map(({ name, url }: Row) => ({ name, url, linkType: 'OTHER' })) },
          sources: { nodes: release.assets.sources },
        },
      })),
    )
    expect(project).toMatchObject({ release: { name: 'Nine' }, missing: null })
  })
})

describe('pipelines', () => {
  test('pipelines and jobs equal those of the REST API', async () => {
    const fields = `id iid sha ref status source duration coverage active complete path detailedStatus { group detailsPath }
      jobs { nodes { id name status stage { name } allowFailure coverage webPath tags } }`
    const pipelines: Row[] = await rest(`${base}/pipelines`, 'bob')
    const { project } = await data(`{ project(fullPath: "acme/web") { pipelines { nodes { ${fields} } } } }`, {
      as: 'bob',
    })
    expect(fieldOf(project.pipelines, 'iid')).toEqual(pipelines.map(({ iid }) => String(iid)))
    for (const node of project.pipelines.nodes) {
      const id = Number(/\d+$/.exec(node.id)?.[0])
      const single = await rest(`${base}/pipelines/${id}`, 'bob')
      const jobs: Row[] = await rest(`${base}/pipelines/${id}/jobs`, 'bob')
      expect(node).toMatchObject({
        id: `gid://gitlab/Ci::Pipeline/${id}`,
        sha: single.sha,
        ref: single.ref,
        status: single.status.toUpperCase(),
        path: single.detailed_status.details_path,
        coverage: single.coverage === null ? null : Number(single.coverage),
      })
      expect(node.jobs.nodes.map(({ name, status, stage }: Row) => [name, status, stage.name])).toEqual(
        jobs.map(({ name, status, stage }) => [name, status.toUpperCase(), stage]),
      )
      const query = `query ($id: CiPipelineID, $iid: ID) { project(fullPath: "acme/web") { pipeline(id: $id, iid: $iid) { id } } }`
      for (const variables of [{ id: node.id }, { iid: node.iid }])
        expect((await data(query, { as: 'bob', variables })).project.pipeline).toEqual({ id: node.id })
    }
    const filtered = `{ project(fullPath: "acme/web") {
      running: pipelines(status: RUNNING) { nodes { status jobs(statuses: [SUCCESS]) { count } } }
      missing: pipeline(iid: "999999") { id }
    } }`
    expect((await data(filtered, { as: 'bob' })).project).toMatchObject({
      running: { nodes: [{ status: 'RUNNING', jobs: { count: 1 } }] },
      missing: null,
    })
    const both = await send('{ project(fullPath: "acme/web") { pipeline { id } } }', { as: 'bob' })
    expect(both.errors[0].message).toBe('Provide either an id or an iid')
  })

  test('merge requests have commits, changed files, pipelines and approvals', async () => {
    await forge
      .as('carol')
      .mergeRequestApprovals.approve({ project: 'acme/web', mergeRequest: 1 })
      .catch(() => undefined)
    const query = `{ project(fullPath: "acme/web") { mergeRequest(iid: "1") {
      headPipeline { id status } pipelines { count } commits { nodes { sha title } }
      diffStats { path additions deletions } diffStatsSummary { additions deletions changes fileCount }
      approved approvalsRequired approvalsLeft approvedBy { nodes { username } } project { fullPath } timeEstimate
    } } }`
    const { mergeRequest } = (await data(query, { as: 'bob' })).project
    const details = await rest(`${base}/merge_requests/1`, 'bob')
    const commits: Row[] = await rest(`${base}/merge_requests/1/commits`, 'bob')
    const { changes } = await rest(`${base}/merge_requests/1/changes`, 'bob')
    const approvals = await rest(`${base}/merge_requests/1/approvals`, 'bob')
    const pipelines: Row[] = await rest(`${base}/merge_requests/1/pipelines`, 'bob')
    expect(mergeRequest).toMatchObject({
      headPipeline: details.head_pipeline && { id: `gid://gitlab/Ci::Pipeline/${details.head_pipeline.id}` },
      pipelines: { count: pipelines.length },
      commits: { nodes: commits.map(({ id, title }) => ({ sha: id, title })) },
      diffStatsSummary: { fileCount: changes.length },
      approved: approvals.approved,
      approvalsRequired: approvals.approvals_required,
      approvedBy: { nodes: approvals.approved_by.map(({ user }: Row) => ({ username: user.username })) },
      project: { fullPath: 'acme/web' },
      timeEstimate: 0,
    })
    const lines = (sign: string) =>
      changes.flatMap(({ diff }: Row) => diff.split('\n')).filter((line: string) => line.startsWith(sign)).length
    expect(mergeRequest.diffStatsSummary).toMatchObject({ additions: lines('+'), deletions: lines('-') })
    expect(mergeRequest.diffStats.map(({ path }: Row) => path)).toEqual(changes.map(({ new_path }: Row) => new_path))
  })
})

test('users have namespaces and merge requests', async () => {
  const query = `query ($name: String!) {
    user(username: $name) {
      namespace { fullPath }
      assigned: assignedMergeRequests(state: opened) { nodes { iid } }
      authored: authoredMergeRequests(sort: CREATED_ASC) { count }
      reviews: reviewRequestedMergeRequests { nodes { iid } }
    }
    currentUser { assignedMergeRequests { count } }
  }`
  const read = async (name: string) => data(query, { as: 'bob', variables: { name } })
  const assigned: Row[] = await rest('/merge_requests?scope=all&assignee_username[]=bob&state=opened', 'bob')
  const reviewed: Row[] = await rest('/merge_requests?scope=all&reviewer_username=carol', 'bob')
  const bob = await read('bob')
  expect(bob.user.namespace).toEqual({ fullPath: 'bob' })
  expect(fieldOf(bob.user.assigned, 'iid')).toEqual(assigned.map(({ iid }) => String(iid)))
  expect(assigned.length).toBeGreaterThan(0)
  expect(fieldOf((await read('carol')).user.reviews, 'iid')).toEqual(reviewed.map(({ iid }) => String(iid)))
  expect(bob.currentUser.assignedMergeRequests.count).toBeGreaterThan(0)
})

test('lists of issues and merge requests have filters and orders', async () => {
  const query = `query ($labels: [String], $sort: IssueSort) {
    project(fullPath: "acme/web") {
      issues(labelName: $labels, sort: $sort) { nodes { iid } }
      one: issues(iid: "2") { nodes { iid } }
      mergeRequests(labels: ["missing"], draft: false, sort: UPDATED_DESC) { count }
      milestones(title: "Of the project") { count }
    }
  }`
  const variables = { labels: ['bug', null], sort: 'TITLE_ASC' }
  const { project } = await data(query, { as: 'alice', variables })
  const issues: Row[] = await rest(`${base}/issues?labels=bug&order_by=title&sort=asc`, 'alice')
  expect(fieldOf(project.issues, 'iid')).toEqual(issues.map(({ iid }) => String(iid)))
  expect(project).toMatchObject({
    one: { nodes: [{ iid: '2' }] },
    mergeRequests: { count: 0 },
    milestones: { count: 1 },
  })
})
