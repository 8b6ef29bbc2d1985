import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, readShown } from './exporter.ts'

type SeedPackages = NonNullable<NonNullable<Seed['projects']>[number]['packages']>
type Files = SeedPackages[number]['files']

/** Bytes. Seeds contain small files only. */
const maximumSize = 65_536

/** The content of a file that a seed can contain; undefined for others. */
const readText = async (
  { host }: Exporter,
  file: Parameters<Exporter['host']['packages']['downloadGeneric']>[0] & { readonly size: number },
): Promise<string | undefined> => {
  const { size, ...place } = file
  if (size > maximumSize) return undefined
  const bytes = await buffer((await host.packages.downloadGeneric(place)).content)
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** Packages with small text files: the newest file of each name. */
export const exportPackages = async (exporter: Exporter, project: number): Promise<SeedPackages> => {
  const { host, omit } = exporter
  const packages: SeedPackages = []
  for (const status of ['default', 'hidden'] as const) {
    for (const { id, name, version } of await readShown(host.packages.list, { project, status })) {
      const all = await readAll(host.packageFiles.list, { project, package: id })
      const newest = [...new Map(all.map((file) => [file.fileName, file])).values()]
      const files: Files = []
      for (const { fileName, size, createdAt } of newest) {
        const place = { project, packageName: name, packageVersion: version, fileName }
        const content = await readText(exporter, { ...place, size })
        if (content === undefined) omit('large and binary files of packages')
        else files.push({ name: fileName, content, createdAt })
      }
      if (files.length) packages.push({ name, version, ...(status === 'hidden' && { status }), files })
    }
  }
  return packages
}
