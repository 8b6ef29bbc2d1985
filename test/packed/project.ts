import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installWithPnpm, runPnpm } from '../support/pnpm.ts'
import { run } from '../support/run-program.ts'
import { shareFolder } from '../support/shared-folder.ts'

export const root = join(import.meta.dirname, '..', '..')
export const names = ['core', 'http', 'fixtures'] as const
export type Name = (typeof names)[number]

/** Packs the packages as for publishing, once in a run. Returns the path of the packed file of each. */
export const packAll = async (): Promise<(name: Name) => string> => {
  const isBuilt = names.every((name) => existsSync(join(root, 'packages', name, 'dist', 'index.d.ts')))
  if (!isBuilt) throw new Error('The packages are not built: run `pnpm build` first')
  const folder = await shareFolder('packed', async (target) => {
    await mkdir(target)
    // pnpm resolves `workspace:` and `catalog:` ranges, and replaces %s with the name of the package.
    await runPnpm(['--filter', './packages/*', 'pack', '--out', join(target, '%s.tgz')], root)
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
  await installWithPnpm('isolated', cwd)
}

/** The versions of dependencies of the workspace. */
export const readVersions = async (...packages: readonly string[]): Promise<Dependencies> => {
  const read = async (name: string) => {
    const manifest = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')
    return [name, (JSON.parse(manifest) as { version: string }).version] as const
  }
  return Object.fromEntries(await Promise.all(packages.map(read)))
}
