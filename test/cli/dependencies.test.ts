import { expect, it } from 'vitest'
import { createGitClient } from '../support/git-client.ts'
import { call, serving } from './command-line.ts'

const lockFiles: Readonly<Record<string, string>> = {
  'Gemfile.lock': 'GEM\n  specs:\n    rack (3.0.8)\n\nPLATFORMS\n  ruby\n',
  'php/composer.lock': JSON.stringify({ packages: [{ name: 'monolog/monolog', version: '3.4.0', license: ['MIT'] }] }),
  'java/pom.xml':
    '<project><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version></dependency></dependencies></project>',
  'package-lock.json': JSON.stringify({ packages: { 'node_modules/lodash': { version: '4.17.21' } } }),
  'old/npm-shrinkwrap.json': JSON.stringify({ dependencies: { qs: { version: '6.11.0' } } }),
  'python/requirements.txt': 'Django==4.2.1\n',
  'python/Pipfile.lock': JSON.stringify({ default: { flask: { version: '==2.3.2' } } }),
  'yarn/yarn.lock': '# yarn lockfile v1\n\n\nleft-pad@^1.0.0:\n  version "1.3.0"\n',
  'pnpm/pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n  react@18.2.0:\n    resolution: {integrity: sha512-x}\n",
  'broken/composer.lock': '{',
}

it('lists the packages of pushed lock files of all package managers', async () => {
  const { url, stop } = await serving(['--data', 'dependencies.db', '--seed', 'demo'])
  const client = createGitClient()
  try {
    await client.git('.', 'clone', url.replace('//', '//alice:alice-token@').concat('/acme/web.git'), 'web')
    await client.commit('web', 'Add lock files', lockFiles)
    await client.git('web', 'push', 'origin', 'HEAD:main')
    const list = async () => {
      const { body } = await call(url, '/projects/acme%2Fweb/dependencies?per_page=100', 'bob-token')
      return (body as Record<string, string>[])
        .map(({ package_manager: manager, name, version }) => `${manager} ${name} ${version}`)
        .toSorted()
    }
    await expect.poll(list, { timeout: 20_000 }).toHaveLength(9)
    expect(await list()).toEqual([
      'bundler rack 3.0.8',
      'composer monolog/monolog 3.4.0',
      'maven junit/junit 4.13.2',
      'npm lodash 4.17.21',
      'npm qs 6.11.0',
      'pip Django 4.2.1',
      'pip flask 2.3.2',
      'pnpm react 18.2.0',
      'yarn left-pad 1.3.0',
    ])
    const files = (await call(url, '/projects/acme%2Fweb/dependencies/files', 'bob-token')).body as {
      problem: string
    }[]
    expect(files.filter(({ problem }) => problem)).toMatchObject([
      { path: 'broken/composer.lock', problem: 'is not valid JSON' },
    ])
  } finally {
    client.remove()
    await stop()
  }
})
