import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const badge = { linkUrl: 'https://x.example.com/%{default_branch}', imageUrl: 'https://x.example.com/%{project_title}' }

test('placeholders for code stay for callers who cannot read it', async () => {
  await forge.host.badges.create({ project, ...badge })
  await forge.host.projects.update({ project, repositoryAccessLevel: 'private', name: 'The Website' })
  const urls = async (user: string) => (await forge.as(user).badges.list({ project })).items[0]
  expect(await urls('mallory')).toMatchObject({
    renderedLinkUrl: badge.linkUrl,
    renderedImageUrl: 'https://x.example.com/The%20Website',
  })
  expect(await urls('alice')).toMatchObject({ renderedLinkUrl: 'https://x.example.com/main' })
})

test('the badges of a group without projects keep their placeholders', async () => {
  await forge.host.groups.create({ path: 'empty' })
  expect(await forge.host.badges.create({ group: 'empty', ...badge })).toMatchObject({
    renderedLinkUrl: badge.linkUrl,
    kind: 'group',
  })
})
