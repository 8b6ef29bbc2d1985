import { byAdmin, byOwner, byUser, type ClientCalls, noCall, type UnsupportedRoutes } from './client-world.ts'

const file = (text: string) => ({ content: new Blob([text]), filename: 'notes.txt' })

/** Projects, forks, namespaces, shares, deploy keys, uploads and packages. */
export const projectCalls: ClientCalls = {
  'GET /registry/repositories/:id': byOwner(async ({ ContainerRegistry }, { host, project, name }) => {
    const { id } = await host.containerRepositories.create({ project, name: name('image') })
    return ContainerRegistry.showRepository(id, { tagsCount: true })
  }),
  'GET /projects': byUser(({ Projects }) => Projects.all()),
  'POST /projects': byUser(({ Projects }, { name }) => Projects.create({ name: name('project') })),
  'POST /projects/user/:user_id': byAdmin(async ({ Projects }, { user, name }) =>
    Projects.create({ userId: await user(), name: name('project') }),
  ),
  'GET /projects/:id': byOwner(({ Projects }) => Projects.show('acme/web')),
  'PUT /projects/:id': byOwner(({ Projects }) => Projects.edit('acme/web', { description: 'The website' })),
  'DELETE /projects/:id': byOwner(async ({ Projects }, { newProject }) => Projects.remove(await newProject())),
  'POST /projects/:id/archive': byOwner(async ({ Projects }, { newProject }) => Projects.archive(await newProject())),
  'POST /projects/:id/restore': byOwner(async ({ Projects }, { newProject, host }) => {
    const project = await newProject()
    await host.settings.update({ deletionAdjournedPeriod: 7 })
    await host.projects.remove({ project })
    await host.settings.update({ deletionAdjournedPeriod: 0 })
    return Projects.restore(project)
  }),
  'POST /projects/:id/unarchive': byOwner(async ({ Projects }, { newProject }) =>
    Projects.unarchive(await newProject()),
  ),
  'POST /projects/:id/star': byOwner(async ({ Projects }, { newProject }) => Projects.star(await newProject())),
  'POST /projects/:id/unstar': byOwner(async ({ Projects }, { newProject, alice }) => {
    const project = await newProject()
    await alice.projects.star({ project })
    return Projects.unstar(project)
  }),
  'GET /projects/:id/starrers': byOwner(({ Projects }) => Projects.allStarrers('acme/web')),
  'GET /projects/:id/users': byOwner(({ Projects }) => Projects.allUsers('acme/web')),
  'PUT /projects/:id/transfer': byOwner(async ({ Projects }, { newProject }) =>
    Projects.transfer(await newProject(), 'acme/tools'),
  ),
  'GET /users/:user_id/projects': byUser(({ Projects }) => Projects.all({ userId: 'bob' as never })),
  'GET /users/:user_id/contributed_projects': byUser(({ Users }) => Users.allContributedProjects('bob' as never)),
  'GET /users/:user_id/starred_projects': byUser(({ Users }) => Users.allStarredProjects('bob' as never)),
  'POST /projects/:id/share': byOwner(async ({ Projects }, { subgroup, newProject, group }) =>
    Projects.share(await newProject(), await subgroup(group), 20),
  ),
  'DELETE /projects/:id/share/:group_id': byOwner(async ({ Projects }, { subgroup, newProject, host }) => {
    const [project, withGroup] = [await newProject(), await subgroup()]
    await host.shares.create({ project, withGroup, accessLevel: 20 })
    return Projects.unshare(project, withGroup)
  }),
  'POST /projects/:id/fork': byOwner(({ Projects }, { name }) => Projects.fork('acme/web', { path: name('fork') })),
  'GET /projects/:id/forks': byOwner(({ Projects }) => Projects.allForks('acme/web')),
  'POST /projects/:id/fork/:forked_from_id': byOwner(async ({ Projects }, { newProject, project }) =>
    Projects.createForkRelationship(await newProject(), project),
  ),
  'DELETE /projects/:id/fork': byOwner(async ({ Projects }, { newProject, host, project }) => {
    const fork = await newProject()
    await host.forks.link({ project: fork, forkedFrom: project })
    return Projects.removeForkRelationship(fork)
  }),
  'GET /namespaces': byUser(({ Namespaces }) => Namespaces.all()),
  'GET /namespaces/:id': byOwner(({ Namespaces }) => Namespaces.show('acme')),
  'GET /namespaces/:path/exists': byUser(({ Namespaces }) => Namespaces.exists('acme')),
  'GET /deploy_keys': byAdmin(({ DeployKeys }) => DeployKeys.all()),
  'GET /projects/:id/deploy_keys': byOwner(({ DeployKeys }) => DeployKeys.all({ projectId: 'acme/web' })),
  'POST /projects/:id/deploy_keys': byOwner(({ DeployKeys }, { key }) =>
    DeployKeys.create('acme/web', 'Server', key(), { canPush: true }),
  ),
  'GET /projects/:id/deploy_keys/:key_id': byOwner(async ({ DeployKeys }, { deployKey }) =>
    DeployKeys.show('acme/web', await deployKey()),
  ),
  'PUT /projects/:id/deploy_keys/:key_id': byOwner(async ({ DeployKeys }, { deployKey }) =>
    DeployKeys.edit('acme/web', await deployKey(), { title: 'Other' }),
  ),
  'POST /projects/:id/deploy_keys/:key_id/enable': byOwner(async ({ DeployKeys }, { deployKey }) =>
    DeployKeys.enable('acme/web', await deployKey()),
  ),
  'DELETE /projects/:id/deploy_keys/:key_id': byOwner(async ({ DeployKeys }, { deployKey }) =>
    DeployKeys.remove('acme/web', await deployKey()),
  ),
  'GET /groups/:id/uploads': byOwner(({ GroupMarkdownUploads }) => GroupMarkdownUploads.all('acme')),
  'GET /groups/:id/uploads/:upload_id': byOwner(async ({ GroupMarkdownUploads }, { groupUpload }) =>
    GroupMarkdownUploads.download('acme', (await groupUpload()).id),
  ),
  'DELETE /groups/:id/uploads/:upload_id': byOwner(async ({ GroupMarkdownUploads }, { groupUpload }) =>
    GroupMarkdownUploads.remove('acme', (await groupUpload()).id),
  ),
  'GET /groups/:id/uploads/:secret/:filename': byOwner(async ({ GroupMarkdownUploads }, { groupUpload }) =>
    GroupMarkdownUploads.download('acme', (await groupUpload()).secret, 'a.txt'),
  ),
  'DELETE /groups/:id/uploads/:secret/:filename': byOwner(async ({ GroupMarkdownUploads }, { groupUpload }) =>
    GroupMarkdownUploads.remove('acme', (await groupUpload()).secret, 'a.txt'),
  ),
  'GET /projects/:id/uploads': byOwner(({ ProjectMarkdownUploads }) => ProjectMarkdownUploads.all('acme/web')),
  'POST /projects/:id/uploads': byOwner(({ ProjectMarkdownUploads }) =>
    ProjectMarkdownUploads.create('acme/web', file('x')),
  ),
  'GET /projects/:id/uploads/:upload_id': byOwner(async ({ ProjectMarkdownUploads }, { uploadId }) =>
    ProjectMarkdownUploads.download('acme/web', await uploadId()),
  ),
  'DELETE /projects/:id/uploads/:upload_id': byOwner(async ({ ProjectMarkdownUploads }, { uploadId }) =>
    ProjectMarkdownUploads.remove('acme/web', await uploadId()),
  ),
  'GET /projects/:id/uploads/:secret/:filename': byOwner(async ({ ProjectMarkdownUploads }, { upload }) =>
    ProjectMarkdownUploads.download('acme/web', await upload(), 'notes.txt'),
  ),
  'DELETE /projects/:id/uploads/:secret/:filename': byOwner(async ({ ProjectMarkdownUploads }, { upload }) =>
    ProjectMarkdownUploads.remove('acme/web', await upload(), 'notes.txt'),
  ),
  'GET /projects/:id/packages': byOwner(({ Packages }) => Packages.all({ projectId: 'acme/web' })),
  'GET /groups/:id/packages': byOwner(({ Packages }) => Packages.all({ groupId: 'acme' })),
  'GET /projects/:id/packages/:package_id': byOwner(async ({ Packages }, { packageFile }) =>
    Packages.show('acme/web', (await packageFile()).packageId),
  ),
  'DELETE /projects/:id/packages/:package_id': byOwner(async ({ Packages }, { packageFile }) =>
    Packages.remove('acme/web', (await packageFile()).packageId),
  ),
  'GET /projects/:id/packages/:package_id/package_files': byOwner(async ({ Packages }, { packageFile }) =>
    Packages.allFiles('acme/web', (await packageFile()).packageId),
  ),
  'DELETE /projects/:id/packages/:package_id/package_files/:package_file_id': byOwner(
    async ({ Packages }, { packageFile }) => {
      const { id, packageId } = await packageFile()
      return Packages.removeFile('acme/web', packageId, id)
    },
  ),
  'PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name': byOwner(
    ({ PackageRegistry }, { name }) => PackageRegistry.publish('acme/web', name('package'), '1.0.0', file('x')),
  ),
  'GET /projects/:id/packages/generic/:package_name/:package_version/:file_name': byOwner(
    async ({ PackageRegistry }, { packageFile }) => {
      const { package: published, fileName } = await packageFile()
      return PackageRegistry.download('acme/web', published.name, published.version, fileName)
    },
  ),
}

export const unsupportedProjectRoutes: UnsupportedRoutes = {
  'GET /projects/:id/avatar': noCall,
  'GET /projects/:id/dependencies/files': noCall,
  'POST /projects/:id/import_project_members/:project_id': noCall,
  'GET /user_counts': noCall,
  'PATCH /user/status': noCall,
  'POST /applications/:id/renew-secret': noCall,
  'GET /snippets/all': noCall,
  'GET /snippets/:id/files/:ref/:file_path/raw': noCall,
  'GET /projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw': noCall,
  'POST /deploy_keys': noCall,
  'GET /users/:id/project_deploy_keys': noCall,
  'GET /-/project/:id/uploads/:secret/:filename': noCall,
  'GET /-/group/:id/uploads/:secret/:filename': noCall,
  'GET /projects/:id/packages/:package_id/package_files/:package_file_id/download': noCall,
  'GET /projects/:id/packages/:package_id/pipelines': noCall,
}
