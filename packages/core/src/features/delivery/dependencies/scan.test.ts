import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDemo } from '../../../../../../test/support/open-demo.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
let project: number
beforeAll(async () => {
  forge = await world({ seed: openDemo })
})
beforeEach(async () => {
  ;({ id: project } = await forge.host.projects.create({ namespace: 'acme', name: `P${Math.random()}` }))
})
afterAll(() => forge.close())

/** Commits files, without a text removes them, and waits for the job. */
const push = async (files: Readonly<Record<string, string | undefined>>, branch = 'main') => {
  const changes = Object.entries(files).map(([path, content]) =>
    content === undefined ? { path, removed: true as const } : { path, content },
  )
  const author = { name: 'Bob', email: 'bob@example.com' }
  const { ids } = await forge.host.commits.import({
    project,
    commits: [{ branch, message: 'Change', author, files: changes }],
  })
  await forge.platform.jobs.drain()
  return ids[0] ?? ''
}
const list = async () => {
  const { items } = await forge.host.dependencies.list({ project, perPage: 100 })
  return items.map(({ name, version, dependencyFilePath: path }) => `${path} ${name} ${version}`)
}
const files = async () =>
  (await forge.host.dependencies.listFiles({ project })).items.map(({ path, problem }) => [path, problem])

const requirements = 'Django==4.2.1\nflask==2.0\n'
const npm = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', license: 'MIT' } } })

test('a push to the default branch lists the packages of all lock files', async () => {
  await push({
    'api/requirements.txt': requirements,
    'package-lock.json': npm,
    'node_modules/x/package-lock.json': npm,
  })
  expect(await list()).toEqual([
    'api/requirements.txt Django 4.2.1',
    'package-lock.json a 1.0.0',
    'api/requirements.txt flask 2.0',
  ])
  expect((await forge.host.dependencies.list({ project, packageManager: ['npm'] })).items).toMatchObject([
    { licenses: [{ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' }], vulnerabilities: [] },
  ])
  await push({ 'api/requirements.txt': 'flask==2.1\n' })
  expect(await list()).toEqual(['package-lock.json a 1.0.0', 'api/requirements.txt flask 2.1'])
  await push({ 'package-lock.json': undefined, 'api/requirements.txt': undefined })
  expect(await list()).toEqual([])
  expect(await files()).toEqual([])
})

test('other branches, and a damaged file, keep the list', async () => {
  await push({ 'requirements.txt': requirements })
  await push({ 'requirements.txt': 'other==1\n' }, 'feature')
  await push({ 'requirements.txt': '!!' })
  expect(await list()).toEqual(['requirements.txt Django 4.2.1', 'requirements.txt flask 2.0'])
  expect(await files()).toEqual([['requirements.txt', 'has no requirement in line 1']])
})

test('large files and too many files are reported, and symbolic links are not followed', async () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`d${index}/requirements.txt`, 'a==1']))
  await push({ ...many, 'yarn.lock': '#'.repeat(5 * 1024 ** 2 + 1) })
  const found = await files()
  expect(found).toHaveLength(20)
  expect((await forge.host.dependencies.listFiles({ project })).total).toBe(100)
  expect((await forge.host.dependencies.listFiles({ project, page: 5 })).items.at(-1)).toMatchObject({
    path: 'yarn.lock',
    problem: 'has more than 5242880 bytes',
  })
  const author = { name: 'Bob', email: 'bob@example.com' }
  const link = { path: 'Pipfile.lock', content: 'd0/requirements.txt', mode: '120000' as const }
  await forge.host.commits.import({ project, commits: [{ branch: 'main', message: 'Link', author, files: [link] }] })
  await forge.platform.jobs.drain()
  expect((await list()).filter((name) => name.startsWith('Pipfile'))).toEqual([])
})

test('dependencies that a host has reported stay, unless a file replaces them', async () => {
  const reported = { version: '1', packageManager: 'npm' as const }
  await forge.host.dependencies.report({
    project,
    dependencies: [
      { name: 'old', ...reported, dependencyFilePath: 'package-lock.json' },
      { name: 'kept', ...reported, dependencyFilePath: 'elsewhere.json' },
    ],
  })
  await push({ 'package-lock.json': npm })
  expect(await list()).toEqual(['package-lock.json a 1.0.0', 'elsewhere.json kept 1'])
})

const report = (name: string) => ({
  version: '15.0.0',
  vulnerabilities: [
    {
      name: 'Injection',
      severity: 'High',
      location: { file: 'requirements.txt', dependency: { package: { name }, version: '4.2.1' } },
    },
  ],
  dependency_files: [
    { path: 'go.sum', package_manager: 'go', dependencies: [] },
    {
      path: 'build.gradle',
      package_manager: 'gradle',
      dependencies: [{ package: { name: 'junit/junit' }, version: '4' }],
    },
  ],
})

const uploadOf = async (ref: string) => {
  const pipeline = await forge.host.pipelines.create({ project, ref })
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })
  return (content: object | string) =>
    forge.host.pipelineJobs.storeArtifacts({
      project,
      job: items[0]?.id ?? 0,
      artifactType: 'dependency_scanning',
      file: {
        fileName: 'gl-dependency-scanning-report.json',
        content: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
      },
    })
}

test('the vulnerabilities of a report of a job belong to the dependencies', async () => {
  const ci = 'scan: { script: scan, artifacts: { reports: { dependency_scanning: report.json } } }'
  await push({ 'requirements.txt': requirements, '.gitlab-ci.yml': ci })
  const upload = await uploadOf('main')
  const vulnerable = async () =>
    (await forge.host.dependencies.list({ project })).items
      .filter(({ vulnerabilities }) => vulnerabilities?.length)
      .map(({ name, vulnerabilities }) => [name, vulnerabilities])
  await upload(report('Django'))
  expect(await list()).toEqual([
    'requirements.txt Django 4.2.1',
    'requirements.txt flask 2.0',
    'build.gradle junit/junit 4',
  ])
  expect(await vulnerable()).toEqual([['Django', [{ name: 'Injection', severity: 'high' }]]])
  await push({ 'requirements.txt': `${requirements}a==1\n` })
  expect(await vulnerable()).toHaveLength(1)
  await push({ '.gitlab-ci.yml': ci }, 'feature')
  const uploadOfBranch = await uploadOf('feature')
  await uploadOfBranch(report('flask'))
  expect(await vulnerable()).toHaveLength(1)
  await upload({ vulnerabilities: [], dependency_files: [{ path: 'requirements.txt', package_manager: 'pip' }] })
  expect(await vulnerable()).toEqual([])
  for (const [damaged, problem] of [
    ['{', 'is not valid JSON'],
    ['[]', 'has no list of vulnerabilities'],
    [' '.repeat(5 * 1024 ** 2 + 1), 'has more than 5242880 bytes'],
  ] as const)
    await expect(upload(damaged)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(problem) })
})
