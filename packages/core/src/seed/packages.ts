import * as v from 'valibot'
import { readPages } from './pages.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const File = v.strictObject({
  /** Letters, digits and `.-_+~@/`. */
  name: v.string(),
  /** Text of the file. */
  content: v.optional(v.string(), ''),
  createdAt: Timestamp,
})

const Package = v.strictObject({
  /** Letters, digits and `.-_+~@/`. */
  name: v.string(),
  /** Letters, digits and `.-_+`. Unique with the name. */
  version: v.string(),
  /** Default: `default`. */
  status: v.optional(v.picklist(['default', 'hidden'])),
  /** At least one file; with its time, the package is created. */
  files: v.pipe(v.array(File), v.minLength(1)),
})

const nameOf = ({ name, version }: { readonly name: string; readonly version: string }) => `${name} ${version}`

/** Generic packages. Their files are text. */
export const packagesSection = defineSection(
  'packages',
  Package,
  async (seeder: Seeder, { name: packageName, version: packageVersion, status, files }, parent: SectionParent) => {
    const project = projectOf(parent)
    for (const { name: fileName, content, createdAt } of files) {
      const file = { fileName, content: new TextEncoder().encode(content) }
      const place = { project, packageName, packageVersion, ...(status && { status }) }
      await seeder.asHost(createdAt).packages.publishGeneric({ ...place, ...file })
    }
  },
  {
    nameOf,
    async *listNames(seeder, parent) {
      const { packages } = seeder.asHost()
      const project = projectOf(parent)
      for (const status of ['default', 'hidden'] as const) {
        for await (const item of readPages(packages.list, { project, status })) yield nameOf(item)
      }
    },
  },
)
