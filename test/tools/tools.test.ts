import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTool } from './install-tools.ts'
import { needsTools, setUpToolRuns } from './tool-runs.ts'

/** Complete runs of published tools against a forge on a port, with git over HTTP. */

const project = 'acme/web'

const run = setUpToolRuns(project)

const token = () => run.forge.tokens.alice as string

/** Creates an issue, and a merge request by Bob from a new branch with one commit that closes it. */
async function createFix(message: string) {
  const issue = await run.forge.as('carol').issues.create({ project, title: 'It is slow' })
  await run.work.git('switch', '--quiet', '--create', 'faster')
  const sha = await run.work.commit(message, { 'README.md': '# Web\n\nFast.\n', 'src/cache.txt': 'kept\n' })
  await run.work.push('faster')
  const description = `Closes #${issue.iid}.`
  const mergeRequest = await run.forge
    .as('bob')
    .mergeRequests.create({ project, title: 'Faster', description, sourceBranch: 'faster' })
  await run.forge.platform.jobs.drain()
  return { issue, mergeRequest, sha }
}

/** The commit of a tag in the run.forge. */
const tagCommit = async (tagName: string) => (await run.forge.host.tags.get({ project, tagName })).commit.id

const commentsOn = async (target: { issue: number } | { mergeRequest: number }) =>
  (await run.forge.host.notes.list({ project, ...target, activityFilter: 'only_comments' })).items.map(
    ({ body }) => body,
  )

test('semantic-release publishes a release with notes and a file, and comments on its issues and merge requests', async (context) => {
  needsTools(run, context)
  const { issue, mergeRequest } = await createFix('fix: make the home page fast')
  await run.forge.as('alice').mergeRequests.merge({ project, mergeRequest: mergeRequest.iid })
  expect(await run.forge.host.issues.get({ project, issue: issue.iid })).toMatchObject({ state: 'closed' })
  await run.work.git('switch', '--quiet', 'main')
  await run.work.git('pull', '--quiet')
  const asset = { path: 'notes.txt', label: 'Notes' }
  const config = {
    branches: ['main'],
    repositoryUrl: run.work.url,
    plugins: [
      '@semantic-release/commit-analyzer',
      '@semantic-release/release-notes-generator',
      ['@semantic-release/gitlab', { assets: [asset, { url: 'https://example.com/tool', label: 'Tool' }] }],
    ],
  }
  writeFileSync(join(run.work.folder, '.releaserc.json'), JSON.stringify(config))

  const { code, output } = await runTool('semantic-release/bin/semantic-release.js', [], {
    cwd: run.work.folder,
    env: {
      GITLAB_CI: 'true',
      CI_COMMIT_REF_NAME: 'main',
      CI_PROJECT_PATH: project,
      GL_TOKEN: token(),
      GL_URL: run.forge.url,
    },
  })

  expect(output).toContain('Published GitLab release: v1.0.1')
  expect(code).toBe(0)
  const release = await run.forge.as('bob').releases.get({ project, tagName: 'v1.0.1' })
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
  needsTools(run, context)
  const milestone = await run.forge.host.milestones.create({ project, title: '1.1.0' })
  await run.work.commit('feat: more', { 'more.txt': 'more\n', 'dist/tool.txt': 'a tool\n' })
  await run.work.push('main')
  const config = {
    git: { commit: false, requireCleanWorkingDir: false, tagName: `v\${version}` },
    npm: false,
    gitlab: {
      release: true,
      origin: run.forge.url,
      tokenRef: 'GITLAB_TOKEN',
      assets: ['dist/*.txt'],
      useIdsForUrls: true,
      milestones: [milestone.title],
      releaseName: `Release \${version}`,
    },
  }
  writeFileSync(join(run.work.folder, '.release-it.json'), JSON.stringify(config))

  const { code, output } = await runTool('release-it/bin/release-it.js', ['minor', '--ci'], {
    cwd: run.work.folder,
    env: { GITLAB_TOKEN: token() },
  })

  expect(output).toContain('Done')
  expect(code).toBe(0)
  const release = await run.forge.as('bob').releases.get({ project, tagName: 'v1.1.0' })
  expect(release).toMatchObject({ name: 'Release 1.1.0', milestones: [{ title: '1.1.0' }] })
  expect(release.description).toContain('feat: more')
  const [link] = release.links
  expect(link?.name).toBe('tool.txt')
  const download = await fetch(link?.url as string, { headers: { 'PRIVATE-TOKEN': token(), 'X-Forgelet-Test': 'yes' } })
  expect(await download.text()).toBe('a tool\n')
}, 120_000)

test('danger reads a merge request and maintains one comment and one diff note', async (context) => {
  needsTools(run, context)
  const { mergeRequest, sha } = await createFix('Make it fast')
  const rules = `
    schedule(async () => {
      const text = await danger.gitlab.utils.fileContents('README.md')
      const { mr, commits } = danger.gitlab
      message('title: ' + mr.title + ', commits: ' + commits.map(({ id }) => id).join())
      markdown('changed: ' + danger.git.modified_files.join() + '; new: ' + danger.git.created_files.join())
      if (text.includes(process.env.WORD)) warn('It says ' + process.env.WORD, 'README.md', 3)
    })`
  mkdirSync(join(run.work.folder, 'rules'))
  writeFileSync(join(run.work.folder, 'dangerfile.js'), rules)
  const env = {
    GITLAB_CI: 'true',
    CI_PROJECT_PATH: project,
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    DANGER_GITLAB_HOST: run.forge.url,
    DANGER_GITLAB_API_TOKEN: token(),
    WORD: 'Fast',
  }
  const danger = () => runTool('danger/distribution/commands/danger-ci.js', [], { cwd: run.work.folder, env })

  const first = await danger()
  expect(first.output).not.toContain('Error')
  expect(first.code).toBe(0)
  const discussions = async () =>
    (await run.forge.host.discussions.list({ project, mergeRequest: mergeRequest.iid })).items.filter(
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
