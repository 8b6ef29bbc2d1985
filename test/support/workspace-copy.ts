import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const root = join(import.meta.dirname, '../..')
const packages = ['core', 'http', 'fixtures']

/** Files that git ignores, and git itself. */
const ignored = /(?:^|\/)(?:node_modules|dist|\.types|\.git)$|^(?:coverage|test\/artefacts|docs\/reference\/api)$/

/** The packages of the workspace, which have to be those of the copy, and what is stored for its sources. */
const unlinked = ['@forgelet', '.cache']

/** Links the dependencies of a folder. */
const linkDependencies = async (copy: string, folder: string) => {
  const source = join(root, folder, 'node_modules')
  const target = join(copy, folder, 'node_modules')
  await mkdir(target, { recursive: true })
  for (const name of await readdir(source)) {
    if (!unlinked.includes(name)) await symlink(join(source, name), join(target, name))
  }
  await mkdir(join(target, '@forgelet'))
  for (const name of packages) {
    await symlink(join(copy, 'packages', name), join(target, '@forgelet', name))
  }
}

/** Copies the workspace into an existing folder. The dependencies are links to those of this workspace. */
export const copyWorkspace = async (copy: string): Promise<void> => {
  await cp(root, copy, {
    recursive: true,
    filter: (source) => !ignored.test(relative(root, source).replaceAll(sep, '/')),
  })
  for (const folder of ['', ...packages.map((name) => join('packages', name))]) await linkDependencies(copy, folder)
}
