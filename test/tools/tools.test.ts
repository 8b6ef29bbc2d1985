import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { world } from '../world.ts'
import { type Checkout, checkout } from './checkout.ts'
import { installTools, runTool } from './install-tools.ts'

/** Complete runs of published tools against a forge on a port, with git over HTTP. */

const project = 'acme/web'

let toolsFolder: string | undefined
beforeAll(async () => {
  toolsFolder = await installTools()
}, 300_000)

let forge: FakeForge
let work: Checkout
beforeEach(async () => {
  forge = await world({ port: 0 })
  work = await checkout(forge, project)
})
afterEach(async () => {
  work.remove()
  await forge.close()
})

/** Skips the test if the tools are not installed; `installTools` has printed a warning. */
const needsTools = ({ skip }: TestContext) => {
  if (toolsFolder === undefined) skip('the tools could not be downloaded')
}

const token = () => forge.tokens.alice as string

/** Creates an issue, and a merge request by Bob from a new branch with one commit that closes it. */
async function createFix(message: string) {
  const issue = await forge.as('carol').issues.create({ project, title: 'It is slow' })
  await work.git('switch', '--quiet', '--create', 'faster')
  const sha = await work.commit(message, { 'README.md': '# Web\n\nFast.\n', 'src/cache.txt': 'kept\n' })
  await work.push('faster')
  const description = `Closes #${issue.iid}.`
  const mergeRequest = await forge
    .as('bob')
    .mergeRequests.create({ project, title: 'Faster', description, sourceBranch: 'faster' })
  await forge.platform.jobs.drain()
  return { issue, mergeRequest, sha }
}

/** The commit of a tag in the forge. */
const tagCommit = async (tagName: string) => (await forge.host.tags.get({ project, tagName })).commit.id

const commentsOn = async (target: { issue: number } | { mergeRequest: number }) =>
  (await forge.host.notes.list({ project, ...target, activityFilter: 'only_comments' })).items.map(({ body }) => body)

test('semantic-release publishes a release with notes and a file, and comments on its issues and merge requests', async (context) => {
  needsTools(context)
  const { issue, mergeRequest } = await createFix('fix: make the home page fast')
  await forge.as('alice').mergeRequests.merge({ project, mergeRequest: mergeRequest.iid })
  expect(await forge.host.issues.get({ project, issue: issue.iid })).toMatchObject({ state: 'closed' })
  await work.git('switch', '--quiet', 'main')
  await work.git('pull', '--quiet')
  const asset = { path: 'notes.txt', label: 'Notes' }
  const config = {
    branches: ['main'],
    repositoryUrl: work.url,
    plugins: [
      '@semantic-release/commit-analyzer',
      '@semantic-release/release-notes-generator',
      ['@semantic-release/gitlab', { assets: [asset, { url: 'https://example.com/tool', label: 'Tool' }] }],
    ],
  }
  writeFileSync(join(work.folder, '.releaserc.json'), JSON.stringify(config))

  const { code, output } = await runTool('semantic-release/bin/semantic-release.js', [], {
    cwd: work.folder,
    env: {
      GITLAB_CI: 'true',
      CI_COMMIT_REF_NAME: 'main',
      CI_PROJECT_PATH: project,
      GL_TOKEN: token(),
      GL_URL: forge.url,
    },
  })

  expect(output).toContain('Published GitLab release: v1.0.1')
  expect(code).toBe(0)
  const release = await forge.as('bob').releases.get({ project, tagName: 'v1.0.1' })
  expect(release).toMatchObject({ name: 'v1.0.1', author: { username: 'alice' }, upcomingRelease: false })
  expect(release.description).toContain('make the home page fast')
  expect(release.commit?.id).toBe(await tagCommit('v1.0.1'))
  expect(release.links.map(({ name }) => name).sort()).toEqual(['Notes', 'Tool'])
  const file = release.links.find(({ name }) => name === 'Notes')?.url as string
  const download = await fetch(file, { headers: { 'PRIVATE-TOKEN': token(), 'X-Forgelet-Test': 'yes' } })
  expect([download.status, await download.text()]).toEqual([200, 'To be released.\n'])
  expect(await commentsOn({ issue: issue.iid })).toEqual([expect.stringContaining('resolved in version 1.0.1')])
  expect(await commentsOn({ mergeRequest: mergeRequest.iid })).toEqual([
    expect.stringContaining('included in version 1.0.1'),
  ])
}, 120_000)

test('release-it creates a tag and a release with a file', async (context) => {
  needsTools(context)
  const milestone = await forge.host.milestones.create({ project, title: '1.1.0' })
  await work.commit('feat: more', { 'more.txt': 'more\n', 'dist/tool.txt': 'a tool\n' })
  await work.push('main')
  const config = {
    git: { commit: false, requireCleanWorkingDir: false, tagName: `v\${version}` },
    npm: false,
    gitlab: {
      release: true,
      origin: forge.url,
      tokenRef: 'GITLAB_TOKEN',
      assets: ['dist/*.txt'],
      useIdsForUrls: true,
      milestones: [milestone.title],
      releaseName: `Release \${version}`,
    },
  }
  writeFileSync(join(work.folder, '.release-it.json'), JSON.stringify(config))

  const { code, output } = await runTool('release-it/bin/release-it.js', ['minor', '--ci'], {
    cwd: work.folder,
    env: { GITLAB_TOKEN: token() },
  })

  expect(output).toContain('Done')
  expect(code).toBe(0)
  const release = await forge.as('bob').releases.get({ project, tagName: 'v1.1.0' })
  expect(release).toMatchObject({ name: 'Release 1.1.0', milestones: [{ title: '1.1.0' }] })
  expect(release.description).toContain('feat: more')
  const [link] = release.links
  expect(link?.name).toBe('tool.txt')
  const download = await fetch(link?.url as string, { headers: { 'PRIVATE-TOKEN': token(), 'X-Forgelet-Test': 'yes' } })
  expect(await download.text()).toBe('a tool\n')
}, 120_000)

test('danger reads a merge request and maintains one comment and one diff note', async (context) => {
  needsTools(context)
  const { mergeRequest, sha } = await createFix('Make it fast')
  const rules = `
    schedule(async () => {
      const text = await danger.gitlab.utils.fileContents('README.md')
      const { mr, commits } = danger.gitlab
      message('title: ' + mr.title + ', commits: ' + commits.map(({ id }) => id).join())
      markdown('changed: ' + danger.git.modified_files.join() + '; new: ' + danger.git.created_files.join())
      if (text.includes(process.env.WORD)) warn('It says ' + process.env.WORD, 'README.md', 3)
    })`
  mkdirSync(join(work.folder, 'rules'))
  writeFileSync(join(work.folder, 'dangerfile.js'), rules)
  const env = {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: project,
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    DANGER_GITLAB_HOST: forge.url,
    DANGER_GITLAB_API_TOKEN: token(),
    WORD: 'Fast',
  }
  const danger = () => runTool('danger/distribution/commands/danger-ci.js', [], { cwd: work.folder, env })

  const first = await danger()
  expect(first.output).not.toContain('Error')
  expect(first.code).toBe(0)
  const discussions = async () =>
    (await forge.host.discussions.list({ project, mergeRequest: mergeRequest.iid })).items.filter(
      ({ notes: [note] }) => !note?.system,
    )
  const [diffNote, main] = (await discussions()).sort((discussion) => (discussion.individualNote ? 1 : -1))
  expect(main?.notes[0]?.body).toContain(`title: Faster, commits: ${sha}`)
  expect(main?.notes[0]?.body).toContain('changed: README.md; new: src/cache.txt')
  expect(diffNote?.notes).toMatchObject([
    { type: 'DiffNote', resolvable: true, position: { newPath: 'README.md', newLine: 3, headSha: sha } },
  ])
  expect(diffNote?.notes[0]?.body).toContain('It says Fast')

  // danger sends forms with CRLF but compares with LF: it recreates the diff note and keeps the comment.
  const second = await danger()
  expect(second.code).toBe(0)
  const remaining = await discussions()
  expect(remaining).toHaveLength(2)
  expect(remaining.map(({ id }) => id)).toContain(main?.id)
  expect(remaining.map(({ notes: [note] }) => note?.type).sort()).toEqual(['DiffNote', null])
}, 120_000)
