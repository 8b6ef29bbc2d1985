import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, snippets } from '../docs/snippets.ts'
import { runPnpm } from '../support/pnpm.ts'
import { environment, run } from '../support/run-program.ts'
import { startRegistry } from './registry.ts'

/**
 * Rehearses a release: publishes the built packages to a registry on this machine as the release workflow does, installs them from it with
 * npm and pnpm into empty folders, runs the programs of the README there, and follows the container recipe without a container.
 */

const names = ['core', 'http', 'fixtures'] as const
const { version } = JSON.parse(await readFile(join(root, 'packages', 'core', 'package.json'), 'utf8')) as {
  version: string
}

const folder = await mkdtemp(join(tmpdir(), 'forgelet-release-'))
await using registry = await startRegistry(folder)
Object.assign(environment, registry.environment)
const report = (text: string) => console.log(`✓ ${text}`)

try {
  await runPnpm(['-r', 'publish', '--access', 'public', '--no-git-checks'], root)
  for (const name of names) await checkPublished(name)
  await runPrograms('npm', (packages, cwd) => run('npm', ['install', '--no-audit', '--no-fund', ...packages], cwd))
  await runPrograms('pnpm', (packages, cwd) => runPnpm(['add', '--store-dir', join(folder, 'store'), ...packages], cwd))
  await followContainerRecipe()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** npm accepts provenance only if the repository in the manifest is the one of the workflow. */
async function checkPublished(name: (typeof names)[number]) {
  const response = await fetch(`${registry.url}@forgelet%2f${name}/${version}`)
  const { repository, license, engines, exports } = (await response.json()) as Readonly<Record<string, unknown>>
  const expected = { type: 'git', url: 'git+https://github.com/forgelet/forgelet.git', directory: `packages/${name}` }
  if (JSON.stringify(repository) !== JSON.stringify(expected)) throw new Error(`@forgelet/${name}: wrong repository`)
  if (!license || !engines || !exports) throw new Error(`@forgelet/${name}: license, engines or exports are missing`)
  report(`@forgelet/${name} ${version} is published`)
}

async function runPrograms(client: string, install: (packages: readonly string[], cwd: string) => Promise<string>) {
  const cwd = join(folder, client)
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ private: true }))
  await install(
    names.map((name) => `@forgelet/${name}@${version}`),
    cwd,
  )
  const programs = snippets.filter(({ place, runs, prints }) => place.startsWith('README') && runs && prints.length > 0)
  for (const { place, code, prints } of programs) {
    await writeFile(join(cwd, 'forge.mts'), code)
    const printed = await run(process.execPath, ['forge.mts'], cwd)
    if (printed !== prints.join('\n')) throw new Error(`${place} prints with ${client}:\n${printed}`)
  }
  report(`${client} installs them; ${programs.length} programs of the README run`)
}

/** Runs the steps of the Containerfile that need no container: installation, environment, health check, command and stop. */
async function followContainerRecipe() {
  const text = await readFile(join(root, 'examples', 'standalone-server', 'Containerfile'), 'utf8')
  const array = (pattern: RegExp) => JSON.parse(pattern.exec(text)?.[1] ?? 'null') as readonly string[]
  const command = array(/^CMD (\[.*\])$/m)
  const [, ...check] = array(/^HEALTHCHECK[\s\S]*?\n +CMD (\[.*\])$/m)
  const cwd = join(folder, 'container')
  await mkdir(cwd)
  await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', `@forgelet/http@${version}`], cwd)
  const port = 20_000 + (process.pid % 20_000)
  const env = {
    ...environment,
    FORGELET_DATA: join(cwd, 'forgelet.db'),
    FORGELET_HOST: '127.0.0.1',
    FORGELET_PORT: String(port),
  }
  const server = spawn(join(cwd, 'node_modules', '.bin', 'forgelet'), command.slice(1), { cwd, env, stdio: 'ignore' })
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
  const script = check.map((part) => part.replace('127.0.0.1:8080', `127.0.0.1:${port}`))
  for (let attempt = 0; ; attempt++) {
    if (
      await run(process.execPath, script, cwd).then(
        () => true,
        () => false,
      )
    )
      break
    if (attempt === 50 || server.exitCode !== null) throw new Error('The server of the container recipe is not ready')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  server.kill()
  if ((await ended) !== 0) throw new Error('The server does not stop with exit code 0')
  report('the container recipe installs, is healthy and stops')
}
