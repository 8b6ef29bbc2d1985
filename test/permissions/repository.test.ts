import type { Discussion } from '@forgelet/core/operations'
import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { stored } from '../stored.ts'
import { writeSignedObjects } from '../support/signed-objects.ts'
import { everyRouteOf, permissionTable, type TableOptions, visibilities } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

/** The discussion on a commit of each project. */
const discussions = new Map<string, Discussion>()

const findDiscussion = ({ visibility }: { visibility: string }) => discussions.get(visibility)

/** The same file in each project, so that its id is known. */
const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const files = [{ path: 'README.md', content: 'hello\n' }]
    const project = `${visibility}/code`
    const commits = [
      { message: 'x', author, files },
      { message: 'y', author, files: [{ path: 'b', content: 'b' }] },
      { message: 'z', author, files: [{ path: 'sub', submodule: 'a'.repeat(40) }] },
    ]
    await host.commits.import({ project, commits })
    await host.branches.create({ project, branch: 'topic', ref: 'main' })
    await host.tags.create({ project, tagName: 'v1' })
    const discussion = await stored(
      host.discussions.create({ project, commit: 'main', body: 'x', author: 'developer' }),
    )
    discussions.set(visibility, discussion)
  }
}

/** The signed commit of each project. */
const signed = new Map<string, string>()

const write = { branch: 'main', commit_message: 'z' }

const options: TableOptions = {
  prepare,
  path: {
    sha: () => 'ce013625030ba8dba906f756967f9e9ca394464a',
    discussion_id: (column) => findDiscussion(column)?.id,
    note_id: (column) => findDiscussion(column)?.notes[0]?.id,
  },
  bodies: {
    'POST /projects/:id/repository/branches': { branch: 'new', ref: 'main' },
    'POST /projects/:id/repository/tags': { tag_name: 'v2', ref: 'main' },
    'POST /projects/:id/repository/commits': { ...write, actions: [] },
    'POST /projects/:id/repository/commits/main/cherry_pick': { branch: 'main', dry_run: true },
    'POST /projects/:id/repository/commits/main/comments': { note: 'x' },
    'POST /projects/:id/repository/commits/main/discussions': { body: 'x' },
    'POST /projects/:id/repository/commits/main/discussions/:discussion_id/notes': { body: 'x' },
    'PUT /projects/:id/repository/commits/main/discussions/:discussion_id/notes/:note_id': { body: 'x' },
    'POST /projects/:id/repository/commits/main/revert': { branch: 'main' },
    'POST /projects/:id/repository/files/new': { ...write, content: 'x' },
    'PUT /projects/:id/repository/submodules/sub': { branch: 'main', commit_sha: 'b'.repeat(40) },
    'PUT /projects/:id/repository/files/README.md': { ...write, content: 'x' },
    'DELETE /projects/:id/repository/files/README.md': write,
  },
}

/** Rows with the same cells for every call. */
const rows = (cells: string) =>
  ['tree', 'blobs/:sha', 'blobs/:sha/raw', 'archive', 'archive.zip', 'compare?from=main&to=main']
    .concat('contributors', 'merge_base?refs[]=main&refs[]=main', 'branches', 'branches/main', 'tags', 'tags/v1')
    .concat(
      'commits',
      'commits/main',
      'commits/main/diff',
      'commits/main/refs',
      'commits/main/sequence',
      'commits/main/comments',
      'commits/main/discussions',
      'commits/main/discussions/:discussion_id',
      'commits/main/discussions/:discussion_id/notes/:note_id',
      'files/README.md/blame',
    )
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

describe('changes of repositories', () => {
  const developers = (call: string, status = 200) =>
    `${call} 401 403·403·404 403 403 ${[status, status, status, status].join(' ')}`
  permissionTable(
    [
      developers('POST /projects/:id/repository/branches', 201),
      developers('DELETE /projects/:id/repository/branches/topic', 204),
      developers('DELETE /projects/:id/repository/merged_branches', 202),
      'PUT /projects/:id/repository/branches/main/protect 401 403·403·404 403 403 403 200 200 200',
      'PUT /projects/:id/repository/branches/main/unprotect 401 403·403·404 403 403 403 200 200 200',
      developers('POST /projects/:id/repository/tags', 201),
      developers('DELETE /projects/:id/repository/tags/v1', 204),
      developers('POST /projects/:id/repository/commits', 201),
      // Everything is in the branch already.
      'POST /projects/:id/repository/commits/main/cherry_pick 401 403·403·404 403 403 400 400 400 400',
      'POST /projects/:id/repository/commits/main/comments 401 201·201·404 201·201·403 201 201 201 201 201',
      'POST /projects/:id/repository/commits/main/discussions 401 201·201·404 201·201·403 201 201 201 201 201',
      'POST /projects/:id/repository/commits/main/discussions/:discussion_id/notes 401 201·201·404 201·201·403 201 201 201 201 201',
      // The developer is the author.
      developers('PUT /projects/:id/repository/commits/main/discussions/:discussion_id/notes/:note_id'),
      developers('DELETE /projects/:id/repository/commits/main/discussions/:discussion_id/notes/:note_id', 204),
      developers('POST /projects/:id/repository/commits/main/revert', 201),
      developers('POST /projects/:id/repository/files/new', 201),
      developers('PUT /projects/:id/repository/files/README.md'),
      developers('DELETE /projects/:id/repository/files/README.md', 204),
      developers('PUT /projects/:id/repository/submodules/sub'),
      'GET /projects/:id/repository/files/README.md 200·404·404 200·200·404 200·200·403 200 200 200 200 200',
      'GET /projects/:id/repository/files/README.md/raw 200·404·404 200·200·404 200·200·403 200 200 200 200 200',
    ].join('\n'),
    options,
  )
})

describe('signatures', () =>
  permissionTable(
    `
    call                                                  anonymous   non-member  guest       reporter developer maintainer owner admin
    GET /projects/:id/repository/commits/:signed/signature 200·404·404 200·200·404 200·200·403 200      200       200        200   200
    GET /projects/:id/repository/tags/signed/signature     200·404·404 200·200·404 200·200·403 200      200       200        200   200
    `,
    {
      ...options,
      prepare: async (forge) => {
        await prepare(forge)
        for (const visibility of visibilities) {
          const { directory = '' } = await forge.host.repository.get({ project: `${visibility}/code` })
          signed.set(visibility, writeSignedObjects(directory).commit)
        }
      },
      path: { ...options.path, signed: ({ visibility }) => signed.get(visibility) ?? '' },
    },
  ))

describe('languages of projects', () =>
  permissionTable(
    `
    call                         anonymous   non-member  guest       reporter developer maintainer owner admin
    GET /projects/:id/languages  200·404·404 200·200·404 200·200·403 200      200       200        200   200
    GET /projects/:id/statistics 401         403·403·404 403         200      200       200        200   200
    `,
    options,
  ))

describe('maintenance of repositories', () =>
  permissionTable(
    `
    call                            anonymous non-member  guest reporter developer maintainer owner admin
    POST /projects/:id/housekeeping 401       403·403·404 403   403      403       201        201   201
    GET  /projects/:id/storage      401       403·403·404 403   403      403       403        403   200
    `,
    options,
  ))

everyRouteOf('repository', 'branches', 'tags', 'commits', 'commit comments', 'commit discussions', 'repository files')
