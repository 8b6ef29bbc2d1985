import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { withPassword } from '../support/git-client.ts'
import { world } from '../world.ts'
import { type Checkout, checkout } from './checkout.ts'
import { installTools, runTool, toolPath } from './install-tools.ts'

/** Complete runs of tools that pipelines use against a forge on a port, with git over HTTP. */

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

const runChangesets = async (inputs: Readonly<Record<string, string>>) => {
  const { id } = await forge.host.projects.get({ project })
  return runTool('changesets-gitlab/lib/cli.js', ['main'], {
    cwd: work.folder,
    env: {
      CI: 'true',
      CI_COMMIT_REF_NAME: 'main',
      CI_PROJECT_ID: String(id),
      CI_PROJECT_PATH: project,
      GITLAB_HOST: forge.url,
      GITLAB_TOKEN: forge.token('alice'),
      NPM_TOKEN: 'unused',
      ...inputs,
    },
  })
}

test('changesets opens a merge request for the next version, and publishes a release after its merge', async (context) => {
  needsTools(context)
  mkdirSync(join(work.folder, '.changeset'))
  await work.commit('Add a feature', {
    'package.json': JSON.stringify({ name: 'web', version: '1.0.0', private: true }),
    'package-lock.json': '{}',
    '.gitignore': '.npmrc\n',
    '.changeset/config.json': JSON.stringify({ privatePackages: { version: true, tag: true } }),
    '.changeset/brave-cats-run.md': '---\nweb: minor\n---\n\nAdd a search field\n',
  })
  await work.push('main')
  const changesets = toolPath('@changesets/cli/bin.js')

  const version = await runChangesets({ INPUT_VERSION: `${process.execPath} ${changesets} version` })

  expect(version.output).toContain('creating merge request from changeset-release/main to main')
  expect(version.code).toBe(0)
  await forge.platform.jobs.drain()
  const { items } = await forge.host.mergeRequests.list({ project })
  const [request] = items.filter(({ sourceBranch }) => sourceBranch === 'changeset-release/main')
  expect(request).toMatchObject({ title: 'Version Packages', author: { username: 'alice' } })
  expect(request?.description).toContain('Add a search field')
  await forge.as('alice').mergeRequests.merge({ project, mergeRequest: request?.iid as number })
  await work.git('switch', '--quiet', 'main')
  await work.git('pull', '--quiet')

  const publish = await runChangesets({
    INPUT_PUBLISH: `${process.execPath} ${changesets} tag`,
    INPUT_CREATE_GITLAB_RELEASES: 'true',
  })

  expect(publish.output).toContain('New tag')
  expect(publish.code).toBe(0)
  const release = await forge.as('bob').releases.get({ project, tagName: 'v1.1.0' })
  expect(release.description).toContain('Add a search field')
}, 180_000)

test('gitlab-ci-local reads a pipeline file that includes one of another project', async (context) => {
  needsTools(context)
  const template = 'build:\n  script:\n    - echo built\n'
  await forge.as('alice').projects.create({ namespace: 'acme', path: 'templates', visibility: 'private' })
  await forge.as('alice').repository.commit({
    project: 'acme/templates',
    commits: [{ message: 'Add a template', files: [{ path: 'ci/build.yml', content: template }] }],
  })
  const pipeline = `
include:
  - project: acme/templates
    file: /ci/build.yml
    ref: main
test:
  needs: [build]
  script: [echo tested]
`
  writeFileSync(join(work.folder, '.gitlab-ci.yml'), pipeline)
  await work.git('add', '.gitlab-ci.yml')

  const { code, output } = await runTool('gitlab-ci-local/dist/index.js', ['--preview'], {
    cwd: work.folder,
    // The credentials that a developer's git would ask for.
    env: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${withPassword(`${forge.url}/`, forge.token('alice'))}.insteadOf`,
      GIT_CONFIG_VALUE_0: `${forge.url}/`,
    },
  })

  expect(output).toContain('downloaded acme/templates main ci/build.yml')
  expect(output).toMatch(/build:\n {2}script:\n {4}- echo built/)
  expect(code).toBe(0)
}, 120_000)
