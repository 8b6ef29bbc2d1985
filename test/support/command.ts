import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'tsup'
import { inject } from 'vitest'
import { buildOf } from '../../packages/build.ts'

const packages = join(import.meta.dirname, '../../packages')
const root = inject('commandFolder')

/** For the variable `NODE_COMPILE_CACHE`: the compiled code of the builds. */
export const compileCache = join(root, 'cache')

/** Links the dependencies of the packages that the build contains, and `@forgelet/http`, whose manifest and assets it reads. */
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

const createBuild = async () => {
  const folder = join(root, String(process.pid))
  await linkDependencies(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const { noExternal, ...options } = buildOf(join(packages, 'http'))
  await build({
    ...options,
    config: false,
    silent: true,
    clean: false,
    dts: false,
    entry: {
      cli: join(packages, 'http/src/cli.ts'),
      'forgelet-markdown-worker': join(packages, 'core/src/ports/markdown/worker.ts'),
    },
    skipNodeModulesBundle: true,
    noExternal: [...(noExternal ?? []), /^@forgelet\/core/],
    esbuildOptions(esbuild) {
      esbuild.conditions = ['source']
    },
    outDir: folder,
  })
  return join(folder, 'cli.js')
}
let built: Promise<string> | undefined

/**
 * The file of the `forgelet` command, built from the sources when a test of this process first needs it. The build starts with a
 * quarter of the processor time of the sources: tests start the command hundreds of times.
 */
export const buildCommand = (): Promise<string> => {
  built ??= createBuild()
  return built
}
