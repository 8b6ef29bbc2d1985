import { templatesFrom } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'

let forge: FakeForge
afterEach(() => forge.close())

const mit = {
  key: 'mit',
  name: 'MIT License',
  popular: true,
  content: 'Copyright (c) [year] [fullname]\nfor [project]',
  conditions: ['include-copyright'],
}

test('the default templates are texts', async () => {
  forge = await world()
  const { templates } = forge.platform
  for (const type of ['gitignores', 'gitlab_ci_ymls', 'dockerfiles'] as const) {
    const { items } = await templates.list({ type })
    expect(items.length).toBeGreaterThan(1)
    for (const { key, name } of items) {
      expect(await templates.get({ type, key: key.toUpperCase() })).toMatchObject({
        name,
        content: expect.stringMatching(/\n$/),
      })
    }
  }
  const { items, total } = await templates.listLicenses({ perPage: 100 })
  expect([items.length, total, new Set(items.map(({ key }) => key)).size]).toEqual([13, 13, 13])
  for (const { key, content } of items) expect([key, content.length]).toEqual([key, expect.any(Number)])
  await expect(templates.getLicense({ key: 'beerware' })).rejects.toMatchObject({ code: 'not_found' })
})

test('the default pipeline files are valid', async () => {
  forge = await world()
  const { templates } = forge.platform
  for (const { key } of (await templates.list({ type: 'gitlab_ci_ymls' })).items) {
    const { content } = await templates.get({ type: 'gitlab_ci_ymls', key })
    expect(await forge.as('bob').ciLint.check({ content })).toMatchObject({ valid: true, errors: [] })
  }
})

test('a host adds licenses, whose placeholders are replaced', async () => {
  const templates = templatesFrom({ licenses: [mit, { key: 'own', name: 'Own', content: 'Ours' }] })
  forge = await world({ ports: { templates } })
  const { platform } = forge
  expect((await platform.templates.listLicenses({ popular: true })).items).toMatchObject([
    { key: 'mit', nickname: null, popular: true, conditions: ['include-copyright'], limitations: [] },
  ])
  expect((await platform.templates.getLicense({ key: 'MIT', fullname: 'Ada $&', projectName: 'web' })).content).toMatch(
    /^Copyright \(c\) \d{4} Ada \$&\nfor web$/,
  )
  expect((await platform.templates.list({ type: 'gitignores' })).items).toEqual([])
  expect(await platform.projectTemplates.get({ project: 'acme/web', type: 'licenses', name: 'mit' })).toMatchObject({
    key: 'mit',
    content: expect.stringMatching(/\[fullname\]\nfor Web$/),
  })
})

test('templates of issues and merge requests are files of the repository', async () => {
  forge = await world()
  const { host } = forge
  const project = 'acme/web'
  const { projectTemplates } = forge.platform
  expect((await projectTemplates.list({ project, type: 'issues' })).items).toEqual([])
  await host.commits.import({
    project,
    commits: [
      {
        message: 'Add templates',
        author: { name: 'Ada', email: 'ada@example.com' },
        files: [
          { path: '.gitlab/issue_templates/Bug report.md', content: 'What happened?' },
          { path: '.gitlab/issue_templates/notes.txt', content: 'x' },
          { path: '.gitlab/issue_templates/sub/Deep.md', content: 'x' },
          { path: '.gitlab/issue_templates/link.md', content: '../../secret', mode: '120000' },
          { path: '.gitlab/merge_request_templates/Default.md', content: 'Why?' },
        ],
      },
    ],
  })
  expect((await projectTemplates.list({ project, type: 'issues' })).items).toEqual([
    { key: 'Bug report', name: 'Bug report' },
  ])
  expect(await projectTemplates.get({ project, type: 'issues', name: 'Bug report' })).toEqual({
    name: 'Bug report',
    content: 'What happened?',
  })
  expect(await projectTemplates.get({ project, type: 'merge_requests', name: 'Default' })).toMatchObject({
    content: 'Why?',
  })
  for (const name of ['link', 'missing', '../../README', 'sub/Deep'])
    await expect(projectTemplates.get({ project, type: 'issues', name })).rejects.toMatchObject({ code: 'not_found' })
  await host.projects.update({ project, repositoryAccessLevel: 'private' })
  expect((await projectTemplates.list({ project, type: 'issues' })).items).toEqual([])
  expect((await projectTemplates.list({ project, type: 'gitignores' })).items).not.toEqual([])
})

const commitTemplates = (project: string | number, names: readonly string[]) =>
  forge.host.commits.import({
    project,
    commits: [
      {
        message: 'Add templates',
        author: { name: 'Ada', email: 'ada@example.com' },
        files: names.map((path) => ({ path, content: `Text of ${path} by [fullname]` })),
      },
    ],
  })

test('projects that the settings name have templates for everyone, the nearest first', async () => {
  forge = await world()
  const { host, platform } = forge
  const own = await host.projects.create({ name: 'Own', namespace: 'acme/tools', visibility: 'private' })
  const ours = await host.projects.create({ name: 'Ours', namespace: 'acme', visibility: 'private' })
  const foreign = await host.projects.create({ name: 'Foreign', user: 'bob', visibility: 'private' })
  await commitTemplates(own.id, ['gitignore/Node.gitignore', 'gitlab-ci/Deploy.yml', 'gitlab-ci/notes.txt'])
  await commitTemplates(ours.id, [
    'LICENSE/ours.txt',
    'LICENSE/mit.txt',
    'gitlab-ci/Deploy.yml',
    'Dockerfile/A.dockerfile',
  ])
  await commitTemplates(foreign.id, ['gitlab-ci/Secret.yml'])
  await host.settings.update({ fileTemplateProjectId: ours.id })
  await host.groups.update({ group: 'acme/tools', settings: { fileTemplateProjectId: own.id } })

  const { templates, projectTemplates } = platform
  const first = async (list: Promise<{ items: readonly { key: string }[] }>) => (await list).items[0]?.key
  expect(await first(templates.list({ type: 'gitlab_ci_ymls' }))).toBe('Deploy')
  expect(await first(templates.list({ type: 'dockerfiles' }))).toBe('A')
  expect((await templates.get({ type: 'gitlab_ci_ymls', key: 'deploy' })).content).toContain('Deploy.yml')
  expect(await first(templates.listLicenses({}))).toBe('mit')
  expect(await templates.getLicense({ key: 'mit', fullname: 'Ada' })).toMatchObject({
    content: 'Text of LICENSE/mit.txt by Ada',
    popular: false,
  })
  const project = 'acme/tools/deploy'
  const alice = forge.as('alice').projectTemplates
  expect(await first(alice.list({ project, type: 'gitignores' }))).toBe('Node')
  expect((await alice.get({ project, type: 'gitignores', name: 'Node' })).content).toContain('Text of')
  expect(await first(projectTemplates.list({ project: 'acme/web', type: 'gitignores' }))).not.toBe('Node')

  // A group cannot show the files of a project outside it, which may be private to its owner.
  await host.groups.update({ group: 'acme/tools', settings: { fileTemplateProjectId: foreign.id } })
  await expect(alice.get({ project, type: 'gitlab_ci_ymls', name: 'Secret' })).rejects.toMatchObject({
    code: 'not_found',
  })
  // Neither does a project that was removed.
  await host.projects.remove({ project: ours.id })
  expect(await first(templates.list({ type: 'dockerfiles' }))).not.toBe('A')
})
