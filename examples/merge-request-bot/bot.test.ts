import type { FakeForge, Seed } from '@forgelet/fixtures'
import { forgeTest } from '@forgelet/fixtures/vitest'
import { describe, expect } from 'vitest'
import { openTidyMergeRequest } from './bot.ts'

const project = 'acme/app'

const seed: Seed = {
  users: [
    { username: 'robot', tokens: [{ secret: 'robot-token' }] },
    { username: 'kim' },
    { username: 'guest', tokens: [{ secret: 'guest-token' }] },
  ],
  groups: [
    {
      path: 'acme',
      members: [
        { user: 'kim', access: 'maintainer' },
        { user: 'robot', access: 'developer' },
        { user: 'guest', access: 'guest' },
      ],
    },
  ],
  projects: [{ path: project }],
}

// git connects to a port.
const test = forgeTest({ seed, port: 0 })

const commit = (forge: FakeForge, content: string) =>
  forge.host.commits.import({
    project,
    commits: [
      {
        message: 'Write the README',
        author: { name: 'Kim', email: 'kim@example.com' },
        files: [{ path: 'README.md', content }],
      },
    ],
  })

const run = (forge: FakeForge, user = 'robot') =>
  openTidyMergeRequest({ host: forge.url, token: forge.tokens[user] ?? '', project })

describe('the bot', () => {
  test('pushes a branch and opens one merge request', async ({ forge }) => {
    await commit(forge, '# App  \n\nText\n')
    const url = await run(forge)
    expect(url).toBe(`${forge.url}/${project}/-/merge_requests/1`)
    expect(await run(forge)).toBe(url)
    const { items } = await forge.host.mergeRequests.list({ project })
    expect(items).toMatchObject([{ title: 'Remove trailing spaces', author: { username: 'robot' } }])
  })

  test('is done after the merge', async ({ forge }) => {
    await commit(forge, '# App  \n\nText\n')
    await run(forge)
    await forge.platform.jobs.drain()
    // Only maintainers merge into the default branch.
    await forge.as('kim').mergeRequests.merge({ project, mergeRequest: 1 })
    const { content } = await forge.host.repositoryFiles.get({ project, filePath: 'README.md', ref: 'main' })
    expect(Buffer.from(content, 'base64').toString()).toBe('# App\n\nText\n')
    expect(await run(forge)).toBeUndefined()
  })

  test('fails where it may not read the code', async ({ forge }) => {
    await commit(forge, '# App  \n')
    await expect(run(forge, 'guest')).rejects.toThrow('not allowed')
  })

  test('fails if the branch is protected', async ({ forge }) => {
    await commit(forge, '# App  \n')
    await forge.host.protectedBranches.create({ project, name: 'bot/*' })
    await expect(run(forge)).rejects.toThrow('You are not allowed to create protected branches on this project.')
  })
})
