import { execFileSync } from 'node:child_process'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed: openDemo })
  await forge.as('bob').commits.import({
    project,
    commits: [{ branch: 'main', message: 'Begin', files: [{ path: 'begin.txt', content: 'begin' }] }],
  })
})
afterAll(() => forge.close())

const project = 'acme/web'

const commit = (branch: string) =>
  forge.as('bob').commits.create({
    project,
    branch,
    startBranch: 'main',
    commitMessage: 'Change',
    actions: [{ action: 'create', filePath: `${branch}.txt`, content: branch }],
  })

/** The name that git stores for an author; undefined if git refuses the name. */
const nameOfGit = (name: string): string | undefined => {
  try {
    const env = { ...process.env, GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: 'bob@example.com' }
    const line = execFileSync('git', ['var', 'GIT_AUTHOR_IDENT'], { encoding: 'utf8', env, stdio: 'pipe' })
    return line.slice(0, line.indexOf(' <'))
  } catch {
    return undefined
  }
}

const commitAs = async (name: string, branch: string) => {
  await forge.host.users.update({ user: 'bob', name })
  return (await commit(branch)).authorName
}

const names = [
  ...['Bob', 'Bob <b>Builder</b>', '<script>alert(1)</script>', '"Bob"', "O'Neil", 'Bob Jr.', '.:;,Bob', 'Bob\\'],
  ...['Ann-Marie <ann@example.com>', 'a<b>c', 'Ünï 😀', ' Bob  Builder '],
]

test.each(names)('a user named %j commits under the name that git stores', async (name) => {
  expect(await commitAs(name, `name-${names.indexOf(name)}`)).toBe(nameOfGit(name))
})

test('a user whose name git refuses commits under the username', async () => {
  expect(nameOfGit('<;>')).toBeUndefined()
  expect(await commitAs('<;>', 'refused')).toBe('bob')
})

test('the merge request of a user with such a name is checked, merged and named in messages', async () => {
  const as = forge.as('bob')
  await forge.host.users.update({ user: 'bob', name: '<b>Bob</b>' })
  await forge.host.projects.update({ project, settings: { mergeCommitTemplate: '%{title}\n\n%{reviewed_by}' } })
  await commit('merged')
  const { iid } = await as.mergeRequests.create({
    project,
    title: 'Merged',
    sourceBranch: 'merged',
    reviewers: ['bob'],
  })
  const merged = await as.mergeRequests.merge({ project, mergeRequest: iid })
  const { authorName, message } = await as.commits.get({ project, sha: merged.mergeCommitSha as string })
  expect(authorName).toBe('bBob/b')
  expect(message).toMatch(/^Reviewed-by: bBob\/b </m)
})
