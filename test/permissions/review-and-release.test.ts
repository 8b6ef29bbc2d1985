import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { type Place, permissionTable, places, type TableOptions } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

/** A repository and a release of it, everywhere the same. */
const release = async ({ host }: FakeForge) => {
  for (const place of places) {
    const project = `${place}/code`
    const files = [{ path: 'README.md', content: 'hello\n' }]
    await host.repository.commit({ project, commits: [{ message: 'x', author, files }] })
    await host.releases.create({ project, tagName: 'v1', ref: 'main', author: 'owner' })
  }
}

/** By the id of the project: the discussion on its merge request. */
const discussions = new Map<number, string>()

/** Who may look does not depend on what there is to see: there is no repository. */
const review = async ({ host }: FakeForge) => {
  for (const place of places) {
    const project = `${place}/code`
    await host.issues.create({ project, title: 'x', author: 'owner' })
    await host.mergeRequests.create({ project, title: 'x', sourceBranch: 'new', author: 'owner' })
    const { id } = await host.discussions.create({ project, mergeRequest: 1, body: 'x', author: 'owner' })
    discussions.set((await host.projects.get({ project })).id, id)
  }
}

const options: TableOptions = {
  path: { discussion: ({ project }: Place) => discussions.get(project) as string },
  bodies: {
    'POST /projects/:id/releases': { tag_name: 'v2', ref: 'main' },
    'POST /projects/:id/merge_requests/1/discussions': { body: 'x' },
    'POST /projects/:id/merge_requests/1/discussions/:discussion/notes': { body: 'x' },
    'PUT /projects/:id/merge_requests/1/discussions/:discussion': { resolved: true },
  },
}

const rows = (cells: string, ...calls: readonly string[]) => calls.map((call) => `${call} ${cells}`)

// In the order of the columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
const code = '200·404·404 200·200·404 200·200·403 200 200 200 200 200'
// A guest of a private project misses the merge request, not the project: see the tests of the operations.
const mergeRequest = '200·404·404 200·200·404 - 200 200 200 200 200'
const developers = '401 403·403·404 403 403 200 200 200 200'

describe('releases and files', () => {
  permissionTable(
    [
      ...rows(
        code,
        'GET /projects/:id/releases',
        'GET /projects/:id/releases/v1',
        'GET /projects/:id/releases/v1/assets/links',
        'GET /projects/:id/repository/files/README.md',
        'GET /projects/:id/repository/files/README.md/raw',
        'GET /projects/:id/repository/commits/main/merge_requests',
      ),
      `POST /projects/:id/releases ${developers}`,
      'GET /projects/:id/uploads 401 403·403·404 403 403 403 200 200 200',
    ].join('\n'),
    { ...options, prepare: release },
  )
})

describe('merge requests under review', () => {
  const at = '/projects/:id/merge_requests/1'
  const write = '401 200·200·404 - 200 200 200 200 200'
  const judge = '401 403·403·404 - 403 200 200 200 200'
  permissionTable(
    [
      ...rows(
        mergeRequest,
        `GET ${at}`,
        `GET ${at}/commits`,
        `GET ${at}/diffs`,
        `GET ${at}/changes`,
        `GET ${at}/versions`,
        `GET ${at}/closes_issues`,
        `GET ${at}/approvals`,
        `GET ${at}/discussions`,
        `GET ${at}/discussions/:discussion`,
      ),
      ...rows(write, `POST ${at}/discussions`, `POST ${at}/discussions/:discussion/notes`),
      ...rows(judge, `POST ${at}/approve`, `PUT ${at}/discussions/:discussion`),
      ...rows(
        '200·404·404 200·200·404 200 200 200 200 200 200',
        'GET /projects/:id/issues/1/related_merge_requests',
        'GET /projects/:id/issues/1/closed_by',
        'GET /projects/:id/issues/1/discussions',
      ),
    ].join('\n'),
    { ...options, prepare: review },
  )
})
