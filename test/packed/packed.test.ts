import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { snippets } from '../docs/snippets.ts'
import { environment, run } from '../support/run-program.ts'
import {
  installIsolated,
  installWithNpm,
  type Name,
  names,
  packAll,
  packedDependencies,
  readVersions,
  root,
} from './project.ts'

/**
 * The packages as published, installed into empty folders from tarballs and the public registry, by npm and by pnpm. Requires a build
 * (`pnpm build`, which `pnpm test:all` begins with).
 */

let folder: string
let tarball: (name: Name) => string
const unpacked = (name: Name) => join(folder, 'unpacked', name)
/** A project with core only, and one with all packages. */
const coreProject = () => join(folder, 'core-only')
const fullProject = () => join(folder, 'all')

interface Manifest {
  readonly license?: string
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface SourceMap {
  readonly sources: readonly string[]
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forgelet-packed-'))
  tarball = await packAll()
  const unpack = async (name: Name) => {
    await mkdir(unpacked(name), { recursive: true })
    await run('tar', ['-xzf', tarball(name), '--strip-components=1', '-C', unpacked(name)], folder)
  }
  await Promise.all(names.map(unpack))
  const sqlite = await readVersions('better-sqlite3')
  const tools = await readVersions('vitest', '@types/node')
  await Promise.all([
    installIsolated(coreProject(), { ...packedDependencies(tarball, ['core']), ...sqlite }),
    installWithNpm(fullProject(), { ...packedDependencies(tarball), ...sqlite, ...tools, ...typeTools }),
  ])
}, 600_000)

afterAll(() => rm(folder, { recursive: true, force: true }), 60_000)

const filesOf = async (name: Name) =>
  (await readdir(unpacked(name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked(name).length + 1))

/** The maximum size of each tarball in KiB. Source maps, which no program loads at its start, are more than half of each. */
const maxKibibytes: Readonly<Record<Name, number>> = { core: 3_150, http: 1_400, fixtures: 130 }

/** A program of the workspace. */
const tool = (name: string) => join(root, 'node_modules', '.bin', name)

describe.each(names)('%s', (name) => {
  test('passes publint and attw', async () => {
    await run(tool('publint'), ['run', tarball(name), '--strict'], folder)
    await run(tool('attw'), [tarball(name), '--profile', 'esm-only', '--no-color', '--no-emoji'], folder)
  })

  test('contains only build output, sources, license and README', async () => {
    const files = await filesOf(name)
    const unexpected = files.filter(
      (file) =>
        !/^(dist\/[\w./-]+\.(js|d\.ts)(\.map)?|src\/[\w./-]+\.(ts|json)|dist\/(demo|empty)-world\.db|assets\/([\w-]+\/)?[\w.-]+|package\.json|LICENSE|README\.md)$/.test(
          file,
        ),
    )
    expect(unexpected).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    )
    expect(files.filter((file) => /\.test\./.test(file))).toEqual([])
  })

  test('refers to no files outside the package', async () => {
    for (const file of (await filesOf(name)).filter((file) => file.endsWith('.js') || file.endsWith('.d.ts'))) {
      const text = await readFile(join(unpacked(name), file), 'utf8')
      expect(text, file).not.toMatch(/(from|import\()\s*["'](\.\.\/){2}/)
      expect(text.includes(root), file).toBe(false)
    }
  })

  test('has source maps and declaration maps, which lead to the sources in the package', async () => {
    const files = await filesOf(name)
    const modules = files.filter((file) => /^dist.*\.js$/.test(file))
    expect(files).toEqual(expect.arrayContaining([...modules, 'dist/index.d.ts'].map((file) => `${file}.map`)))
    for (const file of files.filter((path) => path.endsWith('.map'))) {
      const map = JSON.parse(await readFile(join(unpacked(name), file), 'utf8')) as SourceMap
      const own = map.sources.filter((source) => !source.includes('node_modules'))
      expect(
        own.filter((source) => !files.includes(join('dist', source))),
        file,
      ).toEqual([])
    }
  })

  test('is below its size limit', async () => {
    const { size } = await stat(tarball(name))
    expect(Math.ceil(size / 1_024)).toBeLessThanOrEqual(maxKibibytes[name])
  })

  test('declares its license, Node version and publishable dependency ranges', async () => {
    const manifest = JSON.parse(await readFile(join(unpacked(name), 'package.json'), 'utf8')) as Manifest
    expect(manifest).toMatchObject({ license: 'MIT', engines: { node: '>=22.18' } })
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.peerDependencies })
    for (const range of ranges) expect(range).toMatch(/^(>=)?\d+(\.\d+)*$|^[~^]\d/)
  })
})

const library = `
const use = async ({ createPlatform, sqlite, isPlatformError }) => {
  const platform = createPlatform(sqlite('forge.db', { prefix: 'forge_' }))
  const host = platform.as({ system: 'test' })
  await host.users.create({ username: 'ada' })
  const ada = platform.as({ user: 'ada' })
  await ada.projects.create({ path: 'web', name: 'Web', visibility: 'private' })
  await ada.labels.create({ project: 'ada/web', name: 'bug', color: 'red' })
  const { items } = await ada.labels.list({ project: 'ada/web' })
  const error = await platform.labels.list({ project: 'ada/web' }).catch((reason) => reason)
  await platform.close()
  console.log(items.map(({ name }) => name).join(), isPlatformError(error) && error.code)
}
`

describe('the library', () => {
  const inFolder = async (name: string) => {
    await mkdir(join(coreProject(), name))
    return join(coreProject(), name)
  }

  test('loads with import', async () => {
    const cwd = await inFolder('esm')
    await writeFile(join(cwd, 'app.js'), `import * as core from '@forgelet/core'\n${library}await use(core)\n`)
    expect(await run('node', ['app.js'], cwd)).toBe('bug not_found')
  })

  test('loads with require()', async () => {
    const cwd = await inFolder('cjs')
    await writeFile(join(cwd, 'app.cjs'), `${library}use(require('@forgelet/core'))\n`)
    expect(await run('node', ['app.cjs'], cwd)).toBe('bug not_found')
  })

  test('loads with each export', async () => {
    const cwd = await inFolder('entries')
    const { exports } = JSON.parse(await readFile(join(unpacked('core'), 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>
    }
    // The workers have no exports; the next tests start them.
    const others = ['./package.json', './lock-file-worker', './markdown-worker', './pipeline-worker']
    const entries = Object.keys(exports).filter((entry) => !others.includes(entry))
    const lines = entries.map(
      (entry) => `console.log(Object.keys(await import('@forgelet/core${entry.slice(1)}')).length > 0)`,
    )
    await writeFile(join(cwd, 'app.js'), lines.join('\n'))
    expect(await run('node', ['app.js'], cwd)).toBe(entries.map(() => 'true').join('\n'))
  })

  test('renders long texts in a thread', async () => {
    const cwd = await inFolder('thread')
    await writeFile(
      join(cwd, 'app.js'),
      `import { createPlatform, sqlite } from '@forgelet/core'
      let threads = 0
      process.on('worker', () => threads++)
      const platform = createPlatform(sqlite(':memory:'))
      const { html } = await platform.markdown.render({ text: 'a **b** c\\n\\n'.repeat(3000) })
      console.log(html.split('<strong>b</strong>').length - 1, threads)
      await platform.close()`,
    )
    expect(await run('node', ['app.js'], cwd)).toBe('3000 1')
  })

  test('checks pipeline files in a thread', async () => {
    const cwd = await inFolder('pipelines')
    await writeFile(
      join(cwd, 'app.js'),
      `import { createPlatform, sqlite } from '@forgelet/core'
      let threads = 0
      process.on('worker', () => threads++)
      const platform = createPlatform(sqlite(':memory:'))
      const { valid } = await platform.as({ system: 'test' }).ciLint.check({ content: 'test: { script: make }' })
      console.log(valid, threads)
      await platform.close()`,
    )
    expect(await run('node', ['app.js'], cwd)).toBe('true 1')
  })

  test('keeps the data of a single-user desktop program', async () => {
    const cwd = await inFolder('desktop')
    await writeFile(
      join(cwd, 'app.js'),
      `import { createPlatform, sqlite } from '@forgelet/core'
      const store = sqlite('mine.db', { durability: 'process' })
      const forge = createPlatform(store, { identity: { user: 1 } })
      const host = forge.as({ system: 'first start' })
      if (!(await host.users.list()).items.length) {
        await host.users.create({ username: 'me' })
        await forge.projects.create({ path: 'notes', name: 'Notes', visibility: 'private' })
      }
      const { items } = await forge.labels.list({ project: 'me/notes' })
      await forge.labels.create({ project: 'me/notes', name: 'start ' + (items.length + 1), color: 'teal' })
      console.log(items.length)
      await forge.close()
      `,
    )
    const starts = [
      await run('node', ['app.js'], cwd),
      await run('node', ['app.js'], cwd),
      await run('node', ['app.js'], cwd),
    ]
    expect(starts).toEqual(['0', '1', '2'])
  })
})

const allPackages = `
const use = async ({ createPlatform, sqlite }, { seed }, { serve }, { fakeForge, demo }) => {
  const platform = createPlatform(sqlite(':memory:'))
  await seed(platform, demo)
  const server = await serve(platform, { port: 0 })
  const labels = await (await fetch(server.url + '/api/v4/projects/acme%2Fweb/labels')).json()
  await server.close()
  await platform.close()
  const forge = await fakeForge()
  const headers = { 'PRIVATE-TOKEN': forge.tokens.carol }
  const response = await forge.fetch(forge.url + '/api/v4/projects/acme%2Fweb/labels?name=packed&color=red', { method: 'POST', headers })
  await forge.close()
  console.log(labels.map(({ name }) => name).join(), response.status)
}
`
/** The tables that hosts read. */
const tables = `
import { features } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
if (!features.labels || !policy.project) throw new Error('The feature table or the policy table is missing')
`
const packageNames = ['core', 'core/seed', 'http', 'fixtures'].map((name) => `'@forgelet/${name}'`)

test.each([
  ['import', 'mjs', `${tables}await use(${packageNames.map((name) => `await import(${name})`).join()})`],
  ['require()', 'cjs', `use(${packageNames.map((name) => `require(${name})`).join()})`],
])('all packages load with %s', async (_, extension, code) => {
  const file = `all.${extension}`
  await writeFile(join(fullProject(), file), `${allPackages}${code}\n`)
  expect(await run('node', [file], fullProject())).toBe('bug,feature,urgent 200')
})

test('npx starts a server', async () => {
  const npx = (...args: readonly string[]) => run('npx', ['--no-install', 'forgelet', ...args], fullProject())
  await npx('user', 'create', '--username', 'root', '--admin')
  const token = (await npx('token', 'create', '--user', 'root', '--name', 'laptop')).split('\n').at(-1) as string
  const server = spawn('npx', ['--no-install', 'forgelet', 'serve', '--port', '0'], {
    cwd: fullProject(),
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout).on('line', (line) => {
        const match = /https?:\/\/[\d.]+:\d+/.exec(line)
        if (match) resolve(match[0])
      })
      server.once('exit', (code) => reject(new Error(`forgelet serve exited with code ${code}`)))
    })
    const answer = await fetch(`${url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': token } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ username: 'root' })
  } finally {
    process.kill(-(server.pid as number), 'SIGTERM')
    await ended
  }
})

test('a test suite runs with a fake forge', async () => {
  await writeFile(
    join(fullProject(), 'app.test.js'),
    `import { expect } from 'vitest'
    import { test } from '@forgelet/fixtures/vitest'
    test('the app adds a label', async ({ forge }) => {
      const answer = await forge.fetch(forge.url + '/api/v4/projects/acme%2Fweb/labels?name=idea&color=teal', {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': forge.tokens.carol },
      })
      expect(answer.ok).toBe(true)
      expect(forge).toHaveReceived('POST /projects/:id/labels', 1)
      expect((await forge.host.labels.get({ project: 'acme/web', label: 'idea' })).name).toBe('idea')
    })
    test('every test has a separate forge', async ({ forge }) => {
      await expect(forge.host.labels.get({ project: 'acme/web', label: 'idea' })).rejects.toMatchObject({ code: 'not_found' })
    })
    test('the prebuilt demo data has the current time', async ({ forge }) => {
      const { createdAt } = await forge.host.issues.get({ project: 'acme/web', issue: 1 })
      expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(600_000)
    })
    `,
  )
  const report = join(fullProject(), 'report.json')
  await run('npx', ['--no-install', 'vitest', 'run', '--reporter=json', `--outputFile=${report}`], fullProject())
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ numPassedTests: 3, numFailedTests: 0 })
})

const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

/** The folders of the types of two versions of Node.js. */
const nodeTypes = { current: '@types', newer: '@newer-types' } as const
const typeTools = { [`${nodeTypes.newer}/node`]: 'npm:@types/node@26.6.6', typescript: '5.9' }

/** The packages of the supported versions of TypeScript. Two of them are part of the workspace. */
const compilers = {
  'typescript-5.9': () => join(fullProject(), 'node_modules', 'typescript'),
  'typescript-6': () => join(root, 'node_modules', 'typescript'),
  'typescript-7': () => join(root, 'node_modules', 'typescript-native'),
} as const

/** With more than one checker, TypeScript 7 checks many types again. */
const singleChecker = (compiler: string) => (compiler === 'typescript-7' ? ['--checkers', '1'] : [])

/** Every compiler, every module resolution and both versions of the types. TypeScript 7 needs a quarter of the time of the others. */
const typeTests = [
  ['typescript-5.9', 'bundler', 'current'],
  ['typescript-6', 'node16', 'current'],
  ['typescript-7', 'bundler', 'current'],
  ['typescript-7', 'node16', 'current'],
  ['typescript-7', 'node16', 'newer'],
] as const

const readmeExamples = snippets.filter(({ place }) => place.includes('README'))

test('the programs of the READMEs run as pasted in a project of `npm init`, which has CommonJS modules', async () => {
  const cwd = join(fullProject(), 'pasted')
  await mkdir(cwd)
  await run('npm', ['init', '-y'], cwd)
  const programs = readmeExamples.filter(({ runs, prints }) => runs && prints.length)
  expect(programs.length).toBeGreaterThan(2)
  for (const { place, code, prints } of programs) {
    await writeFile(join(cwd, 'forge.mts'), code)
    expect(await run('node', ['forge.mts'], cwd), place).toBe(prints.join('\n'))
  }
}, 60_000)

test.each(typeTests)(
  'types compile with %s, module resolution %s and the %s types of Node.js',
  async (compiler, resolution, version) => {
    const cwd = join(fullProject(), `types-${compiler}-${resolution}-${version}`)
    await mkdir(cwd)
    await copyFile(join(root, 'test', 'types', 'library.ts'), join(cwd, 'library.ts'))
    for (const { place, code } of readmeExamples) await writeFile(join(cwd, `${place.replace(/\W+/g, '-')}.ts`), code)
    // The declarations are checked too, without the types of browsers, of pg and of better-sqlite3.
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2024', 'esnext.disposable'],
      typeRoots: [join(fullProject(), 'node_modules', nodeTypes[version])],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...resolutions[resolution],
    }
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const program = join(compilers[compiler](), 'bin', 'tsc')
    expect(await run('node', [program, '-p', cwd, ...singleChecker(compiler)], fullProject())).toBe('')
  },
  120_000,
)
