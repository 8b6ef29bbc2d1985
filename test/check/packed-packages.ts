import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Packs every package as for publishing, checks it with publint and attw, and then imports all three from an empty folder,
 * as an ES module and with require(). Requires a build, and pnpm, which resolves `workspace:` and `catalog:`.
 */

const root = join(import.meta.dirname, '..', '..')
const names = ['core', 'http', 'fixtures'] as const
/** Peer dependencies that the test below needs. */
const peers = ['better-sqlite3']

const execute = promisify(execFile)
const run = async (program: string, args: readonly string[], cwd: string) => {
  try {
    return (await execute(program, args, { cwd, timeout: 120_000 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? String(error)}`)
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const assertResolved = ({ name, dependencies, peerDependencies }: Manifest) => {
  for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
    if (/^(workspace|catalog|link|file):/.test(range)) throw new Error(`${name}: ${dependency} is packed as ${range}`)
  }
}

/** Installs one package into the folder, with links to the dependencies that it declares and no others. */
const install = async (tarball: string, name: (typeof names)[number], folder: string) => {
  const place = join(folder, 'node_modules', '@forgelet', name)
  await mkdir(place, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', place], folder)
  const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Manifest
  assertResolved(manifest)
  const dependencies = [...new Set([...Object.keys(manifest.dependencies ?? {}), ...peers])]
  for (const dependency of dependencies.filter((dependency) => !dependency.startsWith('@forgelet/'))) {
    const link = join(place, 'node_modules', dependency)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'packages', name, 'node_modules', dependency), link)
  }
  return manifest
}

const use = `
async function use({ createPlatform, sqlite, isPlatformError }, { seed }, { serve }, { fakeForge, demo }) {
  const platform = createPlatform(sqlite(':memory:'))
  await seed(platform, demo)
  const server = await serve(platform, { port: 0 })
  const labels = await (await fetch(server.url + '/api/v4/projects/acme%2Fweb/labels')).json()
  await server.close()
  const error = await platform.labels.create({ project: 'acme/web', name: 'x', color: 'red' }).catch((reason) => reason)
  await platform.close()
  const forge = await fakeForge()
  const headers = { 'PRIVATE-TOKEN': forge.tokens.carol }
  const response = await forge.fetch(forge.url + '/api/v4/projects/acme%2Fweb/labels?name=packed&color=red', { method: 'POST', headers })
  await forge.close()
  console.log(labels.map(({ name }) => name).join(), isPlatformError(error) && error.code, response.status)
}
`

const esm = `
import * as core from '@forgelet/core'
import * as seed from '@forgelet/core/seed'
import { features } from '@forgelet/core/operations'
import { policy } from '@forgelet/core/policy'
import * as http from '@forgelet/http'
import * as fixtures from '@forgelet/fixtures'
${use}
if (!features.labels || !policy.project) throw new Error('The feature table or the policy table is missing')
await use(core, seed, http, fixtures)
`

const commonJs = `
${use}
use(require('@forgelet/core'), require('@forgelet/core/seed'), require('@forgelet/http'), require('@forgelet/fixtures'))
`

const expected = 'bug,feature,urgent unauthenticated 200'

const folder = await mkdtemp(join(tmpdir(), 'forgelet-packed-'))
try {
  const pnpm = process.env.npm_execpath ?? 'pnpm'
  for (const name of names) {
    const source = join(root, 'packages', name)
    const tarball = join(folder, `${name}.tgz`)
    await run(pnpm, ['pack', '--out', tarball], source)
    await run('publint', ['run', tarball, '--strict'], root)
    await run('attw', [tarball, '--profile', 'esm-only', '--no-color', '--no-emoji'], root)
    const { version } = await install(tarball, name, folder)
    console.log(`${name} ${version} passes publint and attw`)
  }
  for (const [file, source] of [['use.mjs', esm] as const, ['use.cjs', commonJs] as const]) {
    await writeFile(join(folder, file), source)
    const printed = (await run(process.execPath, [file], folder)).trim()
    if (printed !== expected) throw new Error(`${file} printed ${printed} instead of ${expected}`)
    console.log(`${file} runs`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
