import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../../../../test/sqlite-world.ts'
import { features } from '../features.ts'
import type { Operation } from './operation.ts'
import { defaultTextLength, getTextLength } from './text-limits.ts'

const operations: readonly Operation[] = Object.values(features).flatMap((feature) => Object.values(feature))

/** Text that the operation limits itself, or the content of a file. */
const checked = 104_857_600

test('the fields with longer texts than the default are listed here, each with its maximum', () => {
  const found: Record<string, number[]> = {}
  for (const operation of operations) {
    for (const field of Object.keys(operation.entries)) {
      const length = getTextLength(operation, field)
      if (length <= defaultTextLength) continue
      found[field] = [...new Set([...(found[field] ?? []), length])].sort((a, b) => a - b)
    }
  }
  expect(found).toEqual({
    actions: [checked],
    afterSignUpText: [1_000_000],
    body: [checked],
    certificate: [checked],
    commitMessage: [1_000_000],
    commits: [checked],
    content: [1_000_000, 1_048_576, 4_000_000, 52_428_800, checked],
    description: [10_000, 524_288, 1_000_000],
    emailAdditionalText: [1_000_000],
    externalAuthClientCert: [1_000_000],
    externalAuthClientKey: [1_000_000],
    filePath: [8_192],
    files: [52_428_800],
    inputs: [10_000],
    job: [1_000_000],
    key: [100_000, checked],
    location: [9_216],
    mergeCommitMessage: [100_000],
    message: [10_000, 1_000_000],
    note: [1_000_000, checked],
    overrideParams: [10_000],
    path: [8_192],
    payload: [16_384],
    position: [8_192],
    redirectUri: [50_000],
    request: [65_536],
    resource: [65_536],
    settings: [10_000],
    signInText: [1_000_000],
    squashCommitMessage: [100_000],
    storedPosition: [8_192],
    strategies: [100_000],
    tagMessage: [1_000_000],
    terms: [1_000_000],
    text: [checked],
    texts: [checked],
    userXids: [1_000_000],
    value: [10_000, 1_000_000],
    variables: [10_000],
  })
})

describe('too long texts are refused', () => {
  let forge: FakeForge
  beforeAll(async () => {
    forge = await world()
  })
  afterAll(() => forge.close())
  const project = 'acme/web'
  const group = 'acme'

  test.each<[string, number, (text: string) => Promise<unknown>]>([
    ['the description of a project', 2_000, (description) => forge.host.projects.update({ project, description })],
    ['the description of a group', 500, (description) => forge.host.groups.update({ group, description })],
    [
      'the description of a label',
      524_288,
      (description) => forge.host.labels.update({ project, label: 'bug', description }),
    ],
    [
      'the description of a milestone',
      1_000_000,
      (description) => forge.host.milestones.create({ project, title: description.slice(0, 9), description }),
    ],
    [
      'the description of an issue',
      1_000_000,
      (description) => forge.host.issues.update({ project, issue: 1, description }),
    ],
    ['a comment', 1_000_000, (body) => forge.host.notes.create({ project, issue: 1, body, author: 'alice' })],
    ['a custom attribute', 1_000_000, (value) => forge.host.customAttributes.set({ project, key: 'site', value })],
    ['a picture', defaultTextLength, (avatarUrl) => forge.host.projects.update({ project, avatarUrl })],
  ])('%s of more than %d characters', async (_, length, write) => {
    await write('x'.repeat(length))
    await expect(write('x'.repeat(length + 1))).rejects.toMatchObject({ code: expect.stringMatching(/^invalid/) })
  })

  test('in a seed', async () => {
    const seed = { groups: [{ path: 'long', description: 'x'.repeat(501) }] }
    await expect(world({ seed })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
