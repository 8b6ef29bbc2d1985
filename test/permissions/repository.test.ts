import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, visibilities } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

/** The same file in each project, so that its id is known. */
const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const files = [{ path: 'README.md', content: 'hello\n' }]
    await host.repository.commit({ project: `${visibility}/code`, commits: [{ message: 'x', author, files }] })
  }
}

const options: TableOptions = { prepare, path: { sha: () => 'ce013625030ba8dba906f756967f9e9ca394464a' } }

/** Rows with the same cells for every call. */
const rows = (cells: string) =>
  ['tree', 'blobs/:sha', 'blobs/:sha/raw', 'archive', 'archive.zip', 'compare?from=main&to=main']
    .concat('contributors', 'merge_base?refs[]=main&refs[]=main', 'branches', 'branches/main', 'tags', 'commits/main')
    .map((path) => `GET /projects/:id/repository/${path} ${cells}`)
    .join('\n')

// Columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
/** The archive suffixes. */
const suffixes = ['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'tgz', 'gz']

describe('repositories', () => {
  const cells = '200·404·404 200·200·404 200·200·403 200 200 200 200 200'
  const archives = suffixes.map((suffix) => `GET /projects/:id/repository/archive.${suffix} ${cells}`)
  permissionTable([rows(cells), ...archives].join('\n'), options)
})

describe('repositories restricted to members', () => {
  permissionTable(rows('401·404·404 403·403·404 403 200 200 200 200 200'), {
    ...options,
    project: () => ({ repositoryAccessLevel: 'private' }),
  })
})

describe('disabled repositories', () => {
  permissionTable(rows('401·404·404 403·403·404 403 403 403 403 403 403'), {
    ...options,
    prepare: async (forge) => {
      await prepare(forge)
      for (const visibility of visibilities) {
        await forge.host.projects.update({ project: `${visibility}/code`, repositoryAccessLevel: 'disabled' })
      }
    },
  })
})

everyRouteOf('repository')
