import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPassword } from '../support/git-client.ts'
import { runTool, toolPath } from './install-tools.ts'
import { needsTools, setUpToolRuns } from './tool-runs.ts'

/** Complete runs of tools that pipelines use against a forge on a port, with git over HTTP. */

const project = 'acme/web'

const run = setUpToolRuns(project)

const runChangesets = async (inputs: Readonly<Record<string, string>>) => {
  const { id } = await run.forge.host.projects.get({ project })
  return runTool('changesets-gitlab/lib/cli.js', ['main'], {
    cwd: run.work.folder,
    env: {
      CI: 'true',
      CI_COMMIT_REF_NAME: 'main',
      CI_PROJECT_ID: String(id),
      CI_PROJECT_PATH: project,
      GITLAB_HOST: run.forge.url,
      GITLAB_TOKEN: run.forge.token('alice'),
      NPM_TOKEN: 'unused',
      ...inputs,
    },
  })
}

test('changesets opens a merge request for the next version, and publishes a release after its merge', async (context) => {
  needsTools(run, context)
  mkdirSync(join(run.work.folder, '.changeset'))
  await run.work.commit('Add a feature', {
    'package.json': JSON.stringify({ name: 'web', version: '1.0.0', private: true }),
    'package-lock.json': '{}',
    '.gitignore': '.npmrc\n',
    '.changeset/config.json': JSON.stringify({ privatePackages: { version: true, tag: true } }),
    '.changeset/brave-cats-run.md': '---\nweb: minor\n---\n\nAdd a search field\n',
  })
  await run.work.push('main')
  const changesets = toolPath('@changesets/cli/bin.js')

  const version = await runChangesets({ INPUT_VERSION: `${process.execPath} ${changesets} version` })

  expect(version.output).toContain('creating merge request from changeset-release/main to main')
  expect(version.code).toBe(0)
  await run.forge.platform.jobs.drain()
  const { items } = await run.forge.host.mergeRequests.list({ project })
  const [request] = items.filter(({ sourceBranch }) => sourceBranch === 'changeset-release/main')
  expect(request).toMatchObject({ title: 'Version Packages', author: { username: 'alice' } })
  expect(request?.description).toContain('Add a search field')
  await run.forge.as('alice').mergeRequests.merge({ project, mergeRequest: request?.iid as number })
  await run.work.git('switch', '--quiet', 'main')
  await run.work.git('pull', '--quiet')

  const publish = await runChangesets({
    INPUT_PUBLISH: `${process.execPath} ${changesets} tag`,
    INPUT_CREATE_GITLAB_RELEASES: 'true',
  })

  expect(publish.output).toContain('New tag')
  expect(publish.code).toBe(0)
  const release = await run.forge.as('bob').releases.get({ project, tagName: 'v1.1.0' })
  expect(release.description).toContain('Add a search field')
}, 180_000)

test('gitlab-ci-local reads a pipeline file that includes one of another project', async (context) => {
  needsTools(run, context)
  const template = 'build:\n  script:\n    - echo built\n'
  await run.forge.as('alice').projects.create({ namespace: 'acme', path: 'templates', visibility: 'private' })
  await run.forge.as('alice').commits.import({
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
  writeFileSync(join(run.work.folder, '.gitlab-ci.yml'), pipeline)
  await run.work.git('add', '.gitlab-ci.yml')

  const { code, output } = await runTool('gitlab-ci-local/dist/index.js', ['--preview'], {
    cwd: run.work.folder,
    // The credentials that a developer's git would ask for.
    env: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${withPassword(`${run.forge.url}/`, run.forge.token('alice'))}.insteadOf`,
      GIT_CONFIG_VALUE_0: `${run.forge.url}/`,
    },
  })

  expect(output).toContain('downloaded acme/templates main ci/build.yml')
  expect(output).toMatch(/build:\n {2}script:\n {4}- echo built/)
  expect(code).toBe(0)
}, 120_000)
