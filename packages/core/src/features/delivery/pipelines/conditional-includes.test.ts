import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const author = { name: 'Alice', email: 'alice@example.com' }
const commit = (project: string, files: Readonly<Record<string, string>>, branch = 'main') =>
  forge.host.commits.import({
    project,
    commits: [
      { branch, message: 'x', author, files: Object.entries(files).map(([path, content]) => ({ path, content })) },
    ],
  })

const jobsOf = async (ref = 'main', variables: Readonly<Record<string, string>> = {}, user = 'alice') => {
  const given = Object.entries(variables).map(([key, value]) => ({ key, value }))
  const { id } = await forge.as(user).pipelines.create({ project: 'acme/web', ref, variables: given })
  const { items } = await forge.as(user).pipelineJobs.list({ project: 'acme/web', pipeline: id })
  return items.map(({ name }) => name).toSorted()
}

const file = `
include:
  - { local: web.yml, rules: [{ if: $CI_PIPELINE_SOURCE == "api" }] }
  - { local: release.yml, rules: [{ if: $CI_COMMIT_BRANCH == "release" }] }
  - { local: deploy.yml, rules: [{ if: $DEPLOY == "yes" }] }
  - { local: docker.yml, rules: [{ exists: [Dockerfile] }] }
  - { local: docs.yml, rules: [{ changes: { paths: ["docs/**/*"], compare_to: main } }] }
own: { script: make }
docs-check: { script: make, rules: [{ changes: { paths: ["docs/**/*"], compare_to: refs/heads/main } }] }
`
const named = (name: string) => ({ [`${name}.yml`]: `${name}: { script: make }\n` })
const files = Object.assign(
  { '.gitlab-ci.yml': file },
  ...['web', 'release', 'deploy', 'docker', 'docs'].map(named),
) as Record<string, string>

describe('the rules of included files decide with', () => {
  test('predefined, stored and given variables', async () => {
    await commit('acme/web', files)
    expect(await jobsOf()).toEqual(['own', 'web'])
    expect(await jobsOf('main', { DEPLOY: 'yes' })).toEqual(['deploy', 'own', 'web'])
    await forge.as('alice').branches.create({ project: 'acme/web', branch: 'release', ref: 'main' })
    await forge.as('alice').ciVariables.create({ project: 'acme/web', key: 'DEPLOY', value: 'yes' })
    expect(await jobsOf('release')).toEqual(['deploy', 'own', 'release', 'web'])
  })

  test('the files of the commit and its differences from a branch', async () => {
    await commit('acme/web', files)
    await forge.as('alice').branches.create({ project: 'acme/web', branch: 'topic', ref: 'main' })
    await commit('acme/web', { 'docs/a/b.md': 'x' }, 'topic')
    await commit('acme/web', { Dockerfile: 'x' }, 'topic')
    expect(await jobsOf('topic')).toEqual(['docker', 'docs', 'docs-check', 'own', 'web'])
    // What main changed since is no difference of the topic.
    await commit('acme/web', { 'docs/other.md': 'x' })
    expect(await jobsOf()).toEqual(['own', 'web'])
  })

  test('a ref that must exist', async () => {
    await commit('acme/web', { ...files, '.gitlab-ci.yml': file.replace('refs/heads/main', 'no-such') })
    await expect(jobsOf()).rejects.toThrow(
      'Failed to parse rule for docs-check: rules:changes:compare_to is not a valid ref',
    )
  })

  test('another project, if the caller can read its code', async () => {
    await commit('acme/tools/deploy', { 'VERSION.txt': '1' })
    const rules = '[{ exists: { paths: [VERSION.txt], project: acme/tools/deploy, ref: main } }]'
    const text = `include: { local: a.yml, rules: ${rules} }\nown: { script: make, rules: ${rules} }\n`
    await commit('acme/web', { '.gitlab-ci.yml': text, ...named('a') })
    expect(await jobsOf()).toEqual(['a', 'own'])
    await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 40 })
    await expect(jobsOf('main', {}, 'mallory')).rejects.toThrow(
      'Failed to parse rule for include: rules:exists:project `acme/tools/deploy` not found or access denied',
    )
  })

  test('the newest release of a component', async () => {
    const deploy = 'acme/tools/deploy'
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
      await commit(deploy, { 'templates/scan.yml': `scan-${version}: { script: make }\n` })
      await forge.as('alice').releases.create({ project: deploy, tagName: version, ref: 'main' })
    }
    const include = (version: string) =>
      commit('acme/web', { '.gitlab-ci.yml': `include: [{ component: $CI_SERVER_FQDN/${deploy}/scan@${version} }]\n` })
    await include('~latest')
    expect(await jobsOf()).toEqual(['scan-2.0.0'])
    await include('1')
    expect(await jobsOf()).toEqual(['scan-1.1.0'])
    await include('1.0.0')
    expect(await jobsOf()).toEqual(['scan-1.0.0'])
  })

  test('the pushed changes', async () => {
    const text = 'include: { local: a.yml, rules: [{ changes: ["src/*"] }] }\nown: { script: make }\n'
    await using pushes = await world({ pipelinesOnPush: true })
    const alice = pushes.as('alice')
    const push = async (path: string) => {
      const contents = [
        { path: '.gitlab-ci.yml', content: text },
        { path: 'a.yml', content: 'a: { script: make }' },
        { path, content: path },
      ]
      await alice.commits.import({
        project: 'acme/web',
        commits: [{ branch: 'main', message: 'x', files: contents }],
      })
      await pushes.platform.jobs.drain()
      const { items } = await alice.pipelines.list({ project: 'acme/web', perPage: 1 })
      const jobs = await alice.pipelineJobs.list({ project: 'acme/web', pipeline: items[0]?.id ?? 0 })
      return jobs.items.map(({ name }) => name).toSorted()
    }
    await push('README.md')
    expect(await push('docs/a')).toEqual(['own'])
    expect(await push('src/a')).toEqual(['a', 'own'])
  })
})

describe('the lint', () => {
  const merged = async (input: { readonly dryRun?: boolean; readonly ref?: string }, user = 'alice') => {
    const { errors, includes } = await forge.as(user).ciLint.checkFile({ project: 'acme/web', ...input })
    return { errors, files: includes.map(({ location }) => location) }
  }

  test('includes what a push to the branch includes', async () => {
    await commit('acme/web', files)
    await forge.as('alice').branches.create({ project: 'acme/web', branch: 'release', ref: 'main' })
    expect(await merged({})).toEqual({ errors: [], files: [] })
    expect(await merged({ dryRun: true, ref: 'release' })).toEqual({ errors: [], files: ['release.yml'] })
    expect(await merged({ dryRun: true, ref: 'none' })).toMatchObject({ errors: ['Reference not found'] })
  })

  test('reads the files of the branch for a text', async () => {
    await commit('acme/web', files)
    await forge.as('alice').branches.create({ project: 'acme/web', branch: 'topic', ref: 'main' })
    await commit('acme/web', named('topic'), 'topic')
    const lint = (ref?: string) =>
      forge.as('alice').ciLint.check({ project: 'acme/web', content: 'include: topic.yml', ...(ref && { ref }) })
    expect((await lint()).errors).toEqual(['Local file `topic.yml` does not exist!'])
    expect((await lint('topic')).errors).toEqual([])
  })

  test('without a project has no files and no refs', async () => {
    const lint = (content: string) => forge.as('alice').ciLint.check({ content })
    const rule = 'include: { local: a.yml, rules: [{ exists: [a.yml] }] }\nb: { script: make }'
    expect((await lint(rule)).errors).toEqual([])
    expect((await lint('include: "*.yml"\nb: { script: make }')).errors).toEqual([])
  })
})
