import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

const project = 'acme/web'
const title = 'Secret plan'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
  await forge.as('alice').milestones.create({ project, title })
  await forge.as('alice').issues.create({ project, title })
  await forge.host.events.create({
    project,
    ref: 'main',
    after: 'a'.repeat(40),
    commitTitle: title,
    author: 'alice',
  })
})
afterEach(() => forge.close())

/** The kinds of events in all feeds that a user sees, without those of the project itself and of memberships. */
const kindsSeenBy = async (user: string | null) => {
  const session = user === null ? forge.platform.as(null) : forge.as(user)
  const feeds = [
    await session.events.list({ project, perPage: 100 }),
    await session.events.list({ user: 'alice', perPage: 100 }),
    ...(user === null ? [] : [await session.events.list({ scope: 'all', perPage: 100 })]),
  ]
  const kinds = feeds.flatMap(({ items }) =>
    items
      .filter(({ projectId }) => projectId === 1)
      .filter(({ targetTitle, pushData }) => targetTitle === title || pushData?.commitTitle === title)
      .map(({ targetType, pushData }) => (pushData ? 'Push' : targetType)),
  )
  return [...new Set(kinds)].sort()
}

const searchMilestones = async (user: string) => {
  const { search } = forge.as(user)
  const found = [
    await search.list({ scope: 'milestones', search: title }),
    await search.list({ group: 'acme', scope: 'milestones', search: title }),
    await search.list({ project, scope: 'milestones', search: title }),
  ]
  return found.map(({ items }) => items.length)
}

const outsiders = [null, 'mallory'] as const

describe.each(['private', 'disabled'] as const)('with features that are %s', (level) => {
  test('issues alone hide their events, and milestones stay visible for merge requests', async () => {
    await forge.host.projects.update({ project, issuesAccessLevel: level })
    for (const user of outsiders) expect(await kindsSeenBy(user)).toEqual(['Milestone', 'Push'])
  })

  test('issues and merge requests hide milestones from events, lists and the search', async () => {
    const levels = { issuesAccessLevel: level, mergeRequestsAccessLevel: level }
    await forge.host.projects.update({ project, ...levels })
    for (const user of outsiders) {
      expect(await kindsSeenBy(user)).toEqual(['Push'])
      const session = user === null ? forge.platform.as(null) : forge.as(user)
      await expect(session.milestones.list({ project })).rejects.toMatchObject({
        code: user === null ? 'unauthenticated' : 'forbidden',
      })
    }
    expect(await searchMilestones('mallory')).toEqual([0, 0, 0])
    const isMember = level === 'private'
    expect(await kindsSeenBy('dave')).toEqual(isMember ? ['Issue', 'Milestone', 'Push'] : ['Push'])
    expect(await searchMilestones('dave')).toEqual(isMember ? [1, 1, 1] : [0, 0, 0])
  })

  test('code hides pushes', async () => {
    await forge.host.projects.update({ project, repositoryAccessLevel: level })
    for (const user of outsiders) expect(await kindsSeenBy(user)).toEqual(['Issue', 'Milestone'])
  })
})
