import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

/** The file of the package of each project, by project id. */
const files = new Map<number, { readonly id: number; readonly packageId: number }>()

const rows = (cells: string, ...calls: readonly string[]) => calls.map((call) => `${call} ${cells}`)

const base = '/projects/:id/packages'
const file = `${base}/generic/tool/1.0.0/a.txt`

// Columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
const readers = '200·404·404 200·200·404 200·200·403 200 200 200 200 200'

describe('packages', () =>
  permissionTable(
    [
      ...rows(
        readers,
        `GET ${base}`,
        `GET ${base}/:package_id`,
        `GET ${base}/:package_id/pipelines`,
        `GET ${base}/:package_id/package_files`,
        `GET ${base}/:package_id/package_files/:package_file_id/download`,
        `GET ${file}`,
      ),
      'GET /groups/:id/packages 200·404·404 200·200·404 200 200 200 200 200 200',
      `PUT ${file} 401 403·403·404 403 403 201 201 201 201`,
      ...rows(
        '401 403·403·404 403 403 403 204 204 204',
        `DELETE ${base}/:package_id`,
        `DELETE ${base}/:package_id/package_files/:package_file_id`,
      ),
    ].join('\n'),
    {
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          const name = { packageName: 'tool', packageVersion: '1.0.0', fileName: 'a.txt' }
          const content = new TextEncoder().encode('hello')
          const published = await host.packages.publishGeneric({ project, ...name, content })
          files.set((await host.projects.get({ project })).id, published)
        }
      },
      path: {
        package_id: ({ project }: Target) => files.get(project)?.packageId,
        package_file_id: ({ project }: Target) => files.get(project)?.id,
      },
    },
  ))

everyRouteOf('packages', 'package files')
