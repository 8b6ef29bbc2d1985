import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOf } from '../../packages/build.ts'
import { shareFolder } from './shared-folder.ts'

const packages = join(import.meta.dirname, '../../packages')

/** Links the dependencies of the packages that the build contains, and `@forgelet/http`, because it reads manifest and assets there. */
const linkDependencies = async (folder: string) => {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@forgelet'), { recursive: true })
  await symlink(join(packages, 'http'), join(modules, '@forgelet', 'http'))
  const linked = new Set(['@forgelet'])
  for (const name of ['core', 'http']) {
    const source = join(packages, name, 'node_modules')
    for (const dependency of await readdir(source)) {
      if (linked.has(dependency)) continue
      linked.add(dependency)
      await symlink(join(source, dependency), join(modules, dependency))
    }
  }
}

/**
 * Builds programs from TypeScript, together with the packages that they import. A build starts with a quarter of the processor
 * time of the sources. The folder also receives links to the dependencies of the packages.
 */
const buildPrograms = async (folder: string, programs: Readonly<Record<string, string>>): Promise<void> => {
  await linkDependencies(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  // Loaded only by processes that need a build.
  const { build } = await import('tsup')
  const { noExternal, ...options } = buildOf(join(packages, 'http'))
  await build({
    ...options,
    config: false,
    silent: true,
    clean: false,
    dts: false,
    entry: {
      ...programs,
      'forgelet-markdown-worker': join(packages, 'core/src/ports/markdown/worker.ts'),
      'forgelet-lock-file-worker': join(packages, 'core/src/features/delivery/dependencies/lock-files/worker.ts'),
      'forgelet-pipeline-worker': join(packages, 'core/src/features/delivery/ci-config/worker.ts'),
    },
    skipNodeModulesBundle: true,
    noExternal: [...(noExternal ?? []), /^@forgelet\//],
    esbuildOptions(esbuild) {
      esbuild.conditions = ['source']
    },
    outDir: folder,
  })
}

const createSharedBuild = () =>
  shareFolder('programs', (folder) =>
    buildPrograms(folder, {
      cli: join(packages, 'http/src/cli.ts'),
      committer: join(import.meta.dirname, '../durability/committer.ts'),
    }),
  )
let shared: Promise<string> | undefined

/** The build is created when a test of this run first needs it. */
const sharedBuild = (): Promise<string> => {
  shared ??= createSharedBuild()
  return shared
}

/** The file of a build of the `forgelet` command, which tests start hundreds of times. */
export const buildCommand = async (): Promise<string> => join(await sharedBuild(), 'cli.js')

/** The file of a build of `test/durability/committer.ts`. */
export const buildCommitter = async (): Promise<string> => join(await sharedBuild(), 'committer.js')
