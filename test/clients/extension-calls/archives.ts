import {
  byOwner,
  byUser,
  type Client,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'

const web = 'acme/web'

/** The start of an archive: an import accepts it, and its job reports that it is damaged. */
const file = { content: new Blob([new Uint8Array([0x1f, 0x8b, 8, 0])]), filename: 'archive.tar.gz' }

const exportContainer = async ({ host, forge }: ClientWorld, container: { project: string } | { group: string }) => {
  await host.exports.create(container as { project: string })
  await forge.platform.jobs.drain()
}

/** A release with a link to the server itself. */
const releaseWithAsset = async ({ host, forge, project, release }: ClientWorld) => {
  const tagName = await release()
  const url = `${forge.url}/api/v4/templates/gitignores/Node`
  await host.releaseLinks.create({ project, tagName, name: 'Tool', url, filepath: '/tool' })
  return tagName
}

const templateCalls = (
  type: string,
  key: string,
  templates: (api: Client) => Client['GitignoreTemplates'],
): ClientCalls => ({
  [`GET /templates/${type}`]: byUser((api) => templates(api).all()),
  [`GET /templates/${type}/:key`]: byUser((api) => templates(api).show(key)),
})

/** Exports, imports, templates and what releases have. */
export const archiveCalls: ClientCalls = {
  'POST /projects/:id/export': byOwner(({ ProjectImportExports }) =>
    ProjectImportExports.scheduleExport(web, undefined as never, { description: 'Exported' }),
  ),
  'GET /projects/:id/export': byOwner(({ ProjectImportExports }) => ProjectImportExports.showExportStatus(web)),
  'GET /projects/:id/export/download': byOwner(async ({ ProjectImportExports }, world) => {
    await exportContainer(world, { project: web })
    return ProjectImportExports.download(web)
  }),
  'POST /projects/import': byOwner(({ ProjectImportExports }, { name }) =>
    ProjectImportExports.import(file, name('imported'), { namespace: 'acme' }),
  ),
  'GET /projects/:id/import': byOwner(({ ProjectImportExports }) => ProjectImportExports.showImportStatus(web)),
  'POST /groups/:id/export': byOwner(({ GroupImportExports }) => GroupImportExports.scheduleExport('acme')),
  'GET /groups/:id/export/download': byOwner(async ({ GroupImportExports }, world) => {
    await exportContainer(world, { group: 'acme' })
    return GroupImportExports.download('acme')
  }),
  'POST /groups/import': byUser(({ GroupImportExports }, { name }) =>
    GroupImportExports.import(file, name('imported'), { name: 'Imported' }),
  ),
  'POST /projects/:id/releases/:tag_name/evidence': byOwner(async ({ ProjectReleases }, { release }) =>
    ProjectReleases.createEvidence(web, await release()),
  ),
  'GET /projects/:id/releases/:tag_name/downloads/:direct_asset_path': byOwner(async ({ ProjectReleases }, world) =>
    ProjectReleases.download(web, await releaseWithAsset(world), 'tool'),
  ),
  'GET /projects/:id/releases/permalink/latest/:suffix_path': byOwner(async ({ ProjectReleases }, world) => {
    await releaseWithAsset(world)
    return ProjectReleases.downloadLatest(web, 'tool')
  }),
  ...templateCalls('gitignores', 'Node', (api) => api.GitignoreTemplates),
  ...templateCalls('gitlab_ci_ymls', 'Bash', (api) => api.GitLabCIYMLTemplates),
  ...templateCalls('dockerfiles', 'Node', (api) => api.DockerfileTemplates),
  'GET /projects/:id/templates/:type': byOwner(({ ProjectTemplates }) => ProjectTemplates.all(web, 'licenses')),
  'GET /projects/:id/templates/:type/:name': byOwner(({ ProjectTemplates }) =>
    ProjectTemplates.show(web, 'licenses', 'mit'),
  ),
}

const otherPath = 'the client requests /templates/Licenses'

export const unsupportedArchiveRoutes: UnsupportedRoutes = {
  'GET /groups/:id/export': noCall,
  'GET /groups/:id/import': noCall,
  'GET /templates/licenses': otherPath,
  'GET /templates/licenses/:key': otherPath,
  'GET /projects/:id/releases/:tag_name/evidences/:evidence_id': noCall,
}
