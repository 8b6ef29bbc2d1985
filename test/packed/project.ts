import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installWithPnpm, runPnpm } from '../support/pnpm.ts'
import { shareFolder } from '../support/shared-folder.ts'

export const root = join(import.meta.dirname, '..', '..')
export const names = ['core', 'http', 'fixtures'] as const
export type Name = (typeof names)[number]

const execute = promisify(execFile)
/** The Node of the workspace, without its other programs and settings. */
export const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_(OPTIONS|PATH|ENV)$|VITEST)/i.test(name)),
  ),
  PATH: `${join(process.execPath, '..')}:${process.env.PATH?.split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':')}`,
}

/** Runs a program and returns what it prints; its output is part of the error if it fails. */
export const run = async (program: string, args: readonly string[], cwd: string): Promise<string> => {
  try {
    const { stdout } = await execute(program, args, { cwd, env: environment, timeout: 300_000, maxBuffer: 2 ** 26 })
    return stdout.trim()
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? String(error)}`)
  }
}

/** Packs the packages as for publishing, once in a run. Returns the path of the packed file of each. */
export const packAll = async (): Promise<(name: Name) => string> => {
  const isBuilt = names.every((name) => existsSync(join(root, 'packages', name, 'dist', 'index.d.ts')))
  if (!isBuilt) throw new Error('The packages are not built: run `pnpm build` first')
  const folder = await shareFolder('packed', async (target) => {
    await mkdir(target)
    // pnpm resolves `workspace:` and `catalog:` ranges, and replaces %s with the name of the package.
    await runPnpm(['--filter', './packages/*', 'pack', '--out', join(target, '%s.tgz')], {
      cwd: root,
      env: environment,
    })
  })
  return (name) => join(folder, `forgelet-${name}.tgz`)
}

type Dependencies = Readonly<Record<string, string>>

/** The packed packages as dependencies. */
export const packedDependencies = (tarball: (name: Name) => string, packages: readonly Name[] = names): Dependencies =>
  Object.fromEntries(packages.map((name) => [`@forgelet/${name}`, `file:${tarball(name)}`]))

const writeManifest = async (cwd: string, dependencies: Dependencies) => {
  await mkdir(cwd)
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies }
  await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest))
}

/** Installs dependencies into a new folder with npm. */
export const installWithNpm = async (cwd: string, dependencies: Dependencies) => {
  await writeManifest(cwd, dependencies)
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], cwd)
}

/** Installs dependencies into a new folder with pnpm, where each package can load only its declared dependencies. */
export const installIsolated = async (cwd: string, dependencies: Dependencies) => {
  await writeManifest(cwd, dependencies)
  await installWithPnpm('isolated', { cwd, env: environment })
}

/** The versions of dependencies of the workspace. */
export const readVersions = async (...packages: readonly string[]): Promise<Dependencies> => {
  const read = async (name: string) => {
    const manifest = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')
    return [name, (JSON.parse(manifest) as { version: string }).version] as const
  }
  return Object.fromEntries(await Promise.all(packages.map(read)))
}
