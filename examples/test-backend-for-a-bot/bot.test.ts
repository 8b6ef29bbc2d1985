import type { FakeForge, Seed } from '@forgelet/fixtures'
import { forgeTest } from '@forgelet/fixtures/vitest'
import { describe, expect } from 'vitest'
import { labelIssues } from './bot.ts'

const project = 'acme/app'

const seed: Seed = {
  users: [
    { username: 'robot', tokens: [{ secret: 'robot-token' }] },
    { username: 'guest', tokens: [{ secret: 'guest-token' }] },
    { username: 'kim' },
  ],
  groups: [
    {
      path: 'acme',
      visibility: 'public',
      members: [
        { user: 'robot', access: 'reporter' },
        { user: 'guest', access: 'guest' },
      ],
    },
  ],
  projects: [
    {
      path: project,
      visibility: 'public',
      labels: [{ name: 'bug' }],
      issues: [
        { title: 'It crashes at midnight', author: 'kim' },
        { title: 'Broken, and it would be nice in blue', author: 'kim' },
        { title: 'Thank you', author: 'kim' },
        { title: 'An error with a label', author: 'kim', labels: ['bug'] },
        { title: 'An old crash', author: 'kim', state: 'closed' },
      ],
    },
  ],
}

// The client library opens connections itself, so each forge listens on a port.
const test = forgeTest({ seed, port: 0 })

const run = (forge: FakeForge, token = forge.tokens.robot ?? '') => labelIssues({ host: forge.url, token, project })

describe('the bot', () => {
  test('labels issues without a label and creates missing labels', async ({ forge }) => {
    expect(await run(forge)).toEqual([
      '#2 Broken, and it would be nice in blue: bug, feature',
      '#1 It crashes at midnight: bug',
    ])
    const { items } = await forge.as('kim').issues.list({ project, orderBy: 'created_at', sort: 'asc' })
    expect(items.map(({ labels }) => labels)).toEqual([['bug'], ['bug', 'feature'], [], ['bug'], []])
    expect(forge).toHaveReceived({ on: 'labels.create', with: { name: 'feature' } }, 1)
  })

  test('comments on each issue once', async ({ forge }) => {
    await run(forge)
    expect(await run(forge)).toEqual([])
    const { items } = await forge.as('kim').notes.list({ project, issue: 1, activityFilter: 'only_comments' })
    expect(items).toMatchObject([{ body: 'Added labels: bug. Remove them if they are wrong.' }])
  })

  test('is forbidden to label issues as a guest', async ({ forge }) => {
    await expect(run(forge, forge.tokens.guest)).rejects.toThrow('Forbidden')
    expect(forge).not.toHaveReceived('PUT /projects/:id/issues/:issue_iid')
  })

  test('waits and retries when it is rate limited', async ({ forge }) => {
    const fault = forge.fault({ on: 'issues.update', rateLimit: { retryAfter: 1 }, times: 1 })
    expect(await run(forge)).toHaveLength(2)
    expect(fault.hit).toBe(1)
  })
})
