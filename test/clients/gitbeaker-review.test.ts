import type { FakeForge } from '@forgelet/fixtures'
import { Gitlab } from '@gitbeaker/rest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

const project = 'acme/web'

const connect = (host: string, token: string) => new Gitlab({ host, token })

let forge: FakeForge
let api: ReturnType<typeof connect>
beforeEach(async () => {
  forge = await world({ port: 0 })
  api = connect(forge.url, forge.tokens.bob as string)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commits = [
    { branch: 'main', message: 'Begin', author, files: [{ path: 'README.md', content: 'slow\n' }] },
    {
      branch: 'faster',
      message: 'Make it fast\n\nFixes #2',
      author,
      parents: [0],
      files: [{ path: 'README.md', content: 'fast\n' }],
    },
  ]
  await forge.host.commits.import({ project, commits })
})
afterEach(() => forge.close())

test('@gitbeaker/rest reviews a merge request', async () => {
  const created = await api.MergeRequests.create(project, 'faster', 'main', 'Faster')
  const iid = created.iid as number
  const shown = await api.MergeRequests.show(project, iid)
  expect(shown.diff_refs.head_sha).toBe(shown.sha)
  const commits = await api.MergeRequests.allCommits(project, iid)
  expect(commits).toMatchObject([{ title: 'Make it fast', author_name: 'Bob Builder' }])
  expect(await api.MergeRequests.allDiffs(project, iid)).toMatchObject([{ new_path: 'README.md', new_file: false }])
  expect(await api.MergeRequests.showChanges(project, iid)).toMatchObject({
    changes: [{ diff: '@@ -1 +1 @@\n-slow\n+fast\n' }],
  })
  const [version] = await api.MergeRequests.allDiffVersions(project, iid)
  expect(await api.MergeRequests.showDiffVersion(project, iid, version?.id as number)).toMatchObject({
    head_commit_sha: shown.sha,
    commits: [{ title: 'Make it fast' }],
  })
  expect(await api.MergeRequests.allIssuesClosed(project, iid)).toMatchObject([{ iid: 2 }])
  expect(await api.Commits.allMergeRequests(project, commits[0]?.id as string)).toMatchObject([{ iid }])

  expect(await api.MergeRequestApprovals.approve(project, iid)).toMatchObject({ approved: true })
  expect(await api.MergeRequestApprovals.showConfiguration(project, { mergerequestIId: iid })).toMatchObject({
    approved_by: [{ user: { username: 'bob' } }],
  })
  expect(await api.MergeRequestApprovals.unapprove(project, iid)).toMatchObject({ approved: false })

  const { base_sha: baseSha, head_sha: headSha, start_sha: startSha } = shown.diff_refs
  const position = {
    baseSha,
    headSha,
    startSha,
    positionType: 'text',
    oldPath: 'README.md',
    newPath: 'README.md',
  } as never
  const discussion = await api.MergeRequestDiscussions.create(project, iid, 'Really?', {
    position: { ...(position as object), newLine: '1' } as never,
  })
  expect(discussion.notes).toMatchObject([{ type: 'DiffNote', position: { new_path: 'README.md', new_line: 1 } }])
  const reply = await api.MergeRequestDiscussions.addNote(project, iid, discussion.id, 'Yes')
  const noteId = reply.id as unknown as number
  await api.MergeRequestDiscussions.editNote(project, iid, discussion.id, noteId, { body: 'Measured' })
  expect((await api.MergeRequestDiscussions.show(project, iid, discussion.id)).notes?.map(({ body }) => body)).toEqual([
    'Really?',
    'Measured',
  ])
  await api.MergeRequestDiscussions.resolve(project, iid, discussion.id, true)
  await api.MergeRequestDiscussions.removeNote(project, iid, discussion.id, noteId)
  expect(await api.MergeRequestDiscussions.all(project, iid)).toMatchObject([{ notes: [{ resolved: true }] }])
})

test('@gitbeaker/rest creates a release with a file', async () => {
  const upload = await api.Projects.uploadForReference(project, {
    content: new Blob(['a tool\n']),
    filename: 'tool.txt',
  })
  expect(upload.markdown).toBe(`[tool.txt](${upload.url})`)
  const url = `${forge.url}${(upload as unknown as { full_path: string }).full_path}`
  const release = await api.ProjectReleases.create(project, {
    tagName: 'v1.0.0',
    ref: 'main',
    description: 'The first',
    milestones: ['1.0'],
    assets: { links: [{ name: 'Tool', url }] },
  })
  expect(release).toMatchObject({ tag_name: 'v1.0.0', commit: { title: 'Begin' }, assets: { count: 5 } })
  expect(await api.ProjectReleases.all(project)).toHaveLength(1)
  await api.ProjectReleases.edit(project, 'v1.0.0', { name: 'One' })
  expect(await api.ProjectReleases.show(project, 'v1.0.0')).toMatchObject({ name: 'One', description: 'The first' })

  const link = await api.ReleaseLinks.create(project, 'v1.0.0', 'Site', 'https://example.com/')
  await api.ReleaseLinks.edit(project, 'v1.0.0', link.id, { name: 'Home' })
  expect(await api.ReleaseLinks.show(project, 'v1.0.0', link.id)).toMatchObject({ name: 'Home' })
  expect(await api.ReleaseLinks.all(project, 'v1.0.0')).toHaveLength(2)
  await api.ReleaseLinks.remove(project, 'v1.0.0', link.id)
  await api.ProjectReleases.remove(project, 'v1.0.0')
  expect(await api.ProjectReleases.all(project)).toEqual([])
})

test('@gitbeaker/rest reads files, and merge requests related to an issue', async () => {
  const file = await api.RepositoryFiles.show(project, 'README.md', 'faster')
  expect(Buffer.from(file.content, 'base64').toString()).toBe('fast\n')
  const raw = (await api.RepositoryFiles.showRaw(project, 'README.md', 'main')) as Blob | string
  expect(typeof raw === 'string' ? raw : await raw.text()).toBe('slow\n')
  await api.MergeRequests.create(project, 'faster', 'main', 'Faster', { description: 'Closes #4' })
  expect(await api.Issues.allRelatedMergeRequests(project, 4)).toMatchObject([{ title: 'Faster' }])
  expect(await api.Issues.allClosedByMergeRequestst(project, 4)).toMatchObject([{ title: 'Faster' }])
  const discussion = await api.IssueDiscussions.create(project, 4, 'Why?')
  expect(await api.IssueDiscussions.all(project, 4)).toMatchObject([{ id: discussion.id }])
})
