import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { stored } from '../stored.ts'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

/** The release link, the evidence and the secret of the uploaded file of each project, by project id. */
const assets = new Map<
  number,
  { readonly link: number; readonly secret: string; readonly upload: number; readonly evidence: number }
>()

/** A multipart body with one file. */
const formWithFile = () => {
  const form = new FormData()
  form.set('file', new Blob(['hello']), 'b.txt')
  return form
}

/** The file of each group, by its path. */
const groupUploads = new Map<string, { readonly secret: string; readonly upload: number }>()

/** The same repository and release in each project. */
const release = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const files = [{ path: 'README.md', content: 'hello\n' }]
    await host.commits.import({ project, commits: [{ message: 'x', author, files }] })
    await host.releases.create({ project, tagName: 'v1', ref: 'main', author: 'owner' })
    const asset = { name: 'Tool', url: 'https://example.com/tool', filepath: '/bin/tool' }
    const link = await host.releaseLinks.create({ project, tagName: 'v1', ...asset })
    const content = new TextEncoder().encode('hello')
    const upload = await host.uploads.create({ project, file: { fileName: 'a.txt', content }, author: 'owner' })
    const evidence = await host.releaseEvidences.collect({ project, tagName: 'v1' })
    const { id } = await host.projects.get({ project })
    const groupUpload = await host.uploads.create({
      group: visibility,
      file: { fileName: 'a.txt', content },
      author: 'owner',
    })
    groupUploads.set(visibility, { secret: groupUpload.secret, upload: groupUpload.id })
    assets.set(id, { link: link.id, upload: upload.id, secret: upload.secret, evidence: evidence.id })
  }
}

/** The discussion on the merge request of each project, by project id. */
const discussions = new Map<number, string>()

/** Without repositories: permissions do not depend on their content. */
const review = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    await host.issues.create({ project, title: 'x', author: 'owner' })
    await host.mergeRequests.create({ project, title: 'x', sourceBranch: 'new', author: 'owner' })
    const { id } = await stored(host.discussions.create({ project, mergeRequest: 1, body: 'x', author: 'owner' }))
    discussions.set((await host.projects.get({ project })).id, id)
  }
}

/** The version of the merge request of each project, by project id. */
const versions = new Map<number, number>()

/** A merge request with a commit. */
const withVersion = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const commits = [
      { branch: 'main', message: 'x', author, files: [{ path: 'README.md', content: 'hello\n' }] },
      { branch: 'new', message: 'y', author, parents: [0], files: [{ path: 'README.md', content: 'bye\n' }] },
    ]
    await host.commits.import({ project, commits })
    await host.mergeRequests.create({ project, title: 'x', sourceBranch: 'new', author: 'owner' })
    const { items } = await host.mergeRequests.listVersions({ project, mergeRequest: 1 })
    versions.set((await host.projects.get({ project })).id, items[0]?.id as number)
  }
}

const options: TableOptions = {
  path: {
    discussion: ({ project }: Target) => discussions.get(project) as string,
    link: ({ project }: Target) => assets.get(project)?.link,
    evidence: ({ project }: Target) => assets.get(project)?.evidence,
    secret: ({ project }: Target) => assets.get(project)?.secret,
    upload: ({ project }: Target) => assets.get(project)?.upload,
    group_secret: ({ visibility }: Target) => groupUploads.get(visibility)?.secret,
    group_upload: ({ visibility }: Target) => groupUploads.get(visibility)?.upload,
    version: ({ project }: Target) => versions.get(project),
  },
  bodies: {
    'POST /projects/:id/releases': { tag_name: 'v2', ref: 'main' },
    'PUT /projects/:id/releases/v1': { name: 'One' },
    'POST /projects/:id/releases/v1/assets/links': { name: 'Other', url: 'https://example.com/other' },
    'PUT /projects/:id/releases/v1/assets/links/:link': { name: 'Better' },
    'POST /projects/:id/uploads': formWithFile,
    'POST /projects/:id/merge_requests/1/discussions': { body: 'x' },
    'POST /projects/:id/merge_requests/1/discussions/:discussion/notes': { body: 'x' },
    'PUT /projects/:id/merge_requests/1/discussions/:discussion': { resolved: true },
  },
}

const rows = (cells: string, ...calls: readonly string[]) => calls.map((call) => `${call} ${cells}`)

// Columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
const code = '200·404·404 200·200·404 200·200·403 200 200 200 200 200'
// Guests of a private project cannot see its merge requests; the tests of the operations cover this.
const mergeRequest = '200·404·404 200·200·404 - 200 200 200 200 200'
const developers = '401 403·403·404 403 403 200 200 200 200'
const creators = developers.replaceAll('200', '201')

describe('releases and files', () => {
  permissionTable(
    [
      ...rows(
        code,
        'GET /projects/:id/releases',
        'GET /projects/:id/releases/permalink/latest',
        'GET /projects/:id/releases/v1',
        'GET /projects/:id/releases/v1/evidences/:evidence',
        'GET /projects/:id/releases/v1/assets/links',
        'GET /projects/:id/releases/v1/assets/links/:link',
        'GET /projects/:id/repository/commits/main/merge_requests',
      ),
      ...rows(
        developers,
        'PUT /projects/:id/releases/v1',
        'DELETE /projects/:id/releases/v1',
        'PUT /projects/:id/releases/v1/assets/links/:link',
        'DELETE /projects/:id/releases/v1/assets/links/:link',
        'POST /projects/:id/releases/v1/evidence',
      ),
      ...rows(creators, 'POST /projects/:id/releases', 'POST /projects/:id/releases/v1/assets/links'),
      ...rows(
        code.replaceAll('200', '302'),
        'GET /projects/:id/releases/permalink/latest/assets/links',
        'GET /projects/:id/releases/v1/downloads/bin/tool',
      ),
      'GET /projects/:id/uploads 401 403·403·404 403 403 403 200 200 200',
      'POST /projects/:id/uploads 401 403·403·404 201 201 201 201 201 201',
      'DELETE /projects/:id/uploads/:secret/a.txt 401 403·403·404 403 403 403 204 204 204',
      'GET /projects/:id/uploads/:upload 401·404·404 403·403·404 403 403 403 200 200 200',
      'DELETE /projects/:id/uploads/:upload 401 403·403·404 403 403 403 204 204 204',
      'GET /groups/:id/uploads 401 403·403·404 403 403 403 200 200 200',
      'DELETE /groups/:id/uploads/:group_secret/a.txt 401 403·403·404 403 403 403 204 204 204',
      'GET /groups/:id/uploads/:group_upload 401·404·404 403·403·404 403 403 403 200 200 200',
      'DELETE /groups/:id/uploads/:group_upload 401 403·403·404 403 403 403 204 204 204',
      ...rows(
        '200·404·404 200·200·404 200 200 200 200 200 200',
        'GET /groups/:id/uploads/:group_secret/a.txt',
        'GET /-/group/:id/uploads/:group_secret/a.txt',
        'GET /projects/:id/uploads/:secret/a.txt',
        'GET /-/project/:id/uploads/:secret/a.txt',
      ),
    ].join('\n'),
    { ...options, prepare: release },
  )
})

describe('merge requests under review', () => {
  const at = '/projects/:id/merge_requests/1'
  const write = '401 201·201·404 - 201 201 201 201 201'
  const judge = '401 403·403·404 - 403 200 200 200 200'
  permissionTable(
    [
      ...rows(
        mergeRequest,
        `GET ${at}`,
        `GET ${at}/commits`,
        `GET ${at}/diffs`,
        `GET ${at}/changes`,
        `GET ${at}/raw_diffs`,
        `GET ${at}/versions`,
        `GET ${at}/closes_issues`,
        `GET ${at}/related_issues`,
        `GET ${at}/discussions`,
        `GET ${at}/discussions/:discussion`,
      ),
      ...rows(write, `POST ${at}/discussions`, `POST ${at}/discussions/:discussion/notes`),
      ...rows(judge, `PUT ${at}/discussions/:discussion`),
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

describe('a version of a merge request', () => {
  const at = '/projects/:id/merge_requests/1'
  permissionTable(`GET ${at}/versions/:version ${mergeRequest}`, { ...options, prepare: withVersion })
})

everyRouteOf('releases', 'release links', 'release evidences', 'uploads')
everyRouteOf('merge request changes')
