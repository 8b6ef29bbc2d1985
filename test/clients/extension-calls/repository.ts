import { byOwner, type ClientCalls, noCall, type UnsupportedRoutes } from './client-world.ts'

const archive = (suffix: 'tgz' | 'gz') =>
  byOwner(({ Repositories }) => Repositories.showArchive('acme/web', { fileType: suffix as 'tar.gz' }))

/** Branches, tags, commits and files. */
export const repositoryCalls: ClientCalls = {
  'GET /projects/:id/repository/archive.tgz': archive('tgz'),
  'GET /projects/:id/repository/archive.gz': archive('gz'),
  'GET /projects/:id/repository/branches': byOwner(({ Branches }) => Branches.all('acme/web')),
  'GET /projects/:id/repository/branches/:branch': byOwner(({ Branches }) => Branches.show('acme/web', 'main')),
  'POST /projects/:id/repository/branches': byOwner(({ Branches }, { name }) =>
    Branches.create('acme/web', name('topic/branch'), 'main'),
  ),
  'DELETE /projects/:id/repository/branches/:branch': byOwner(async ({ Branches }, { branch }) =>
    Branches.remove('acme/web', await branch()),
  ),
  'DELETE /projects/:id/repository/merged_branches': byOwner(({ Branches }) => Branches.removeMerged('acme/web')),
  'GET /projects/:id/repository/tags': byOwner(({ Tags }) => Tags.all('acme/web')),
  'POST /projects/:id/repository/tags': byOwner(({ Tags }, { name }) => Tags.create('acme/web', name('tag'), 'main')),
  'GET /projects/:id/repository/tags/:tag_name': byOwner(({ Tags }) => Tags.show('acme/web', 'v0.1.0')),
  'DELETE /projects/:id/repository/tags/:tag_name': byOwner(async ({ Tags }, { tag }) =>
    Tags.remove('acme/web', await tag()),
  ),
  'PUT /projects/:id/repository/submodules/:submodule': byOwner(async ({ RepositorySubmodules }, { host }) => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const files = [{ path: 'libs/core', submodule: 'a'.repeat(40) }]
    await host.commits.import({ project: 'acme/web', commits: [{ message: 'Add', author, files }] })
    return RepositorySubmodules.edit('acme/web', 'libs/core', 'main', 'b'.repeat(40))
  }),
  'GET /projects/:id/repository/commits': byOwner(({ Commits }) => Commits.all('acme/web', { refName: 'main' })),
  'POST /projects/:id/repository/commits': byOwner(({ Commits }, { name }) =>
    Commits.create('acme/web', name('branch'), 'Add a file', [{ action: 'create', filePath: 'a.txt', content: 'a' }], {
      startBranch: 'main',
    }),
  ),
  'GET /projects/:id/repository/commits/:sha': byOwner(({ Commits }, { head }) => Commits.show('acme/web', head)),
  'GET /projects/:id/repository/commits/:sha/diff': byOwner(({ Commits }, { head }) =>
    Commits.showDiff('acme/web', head),
  ),
  'GET /projects/:id/repository/commits/:sha/refs': byOwner(({ Commits }, { head }) =>
    Commits.allReferences('acme/web', head),
  ),
  'POST /projects/:id/repository/commits/:sha/cherry_pick': byOwner(async ({ Commits }, { commit, branch }) =>
    Commits.cherryPick('acme/web', (await commit()).sha, await branch()),
  ),
  'POST /projects/:id/repository/commits/:sha/revert': byOwner(async ({ Commits }, { commit }) => {
    const { sha, branch } = await commit()
    return Commits.revert('acme/web', sha, branch)
  }),
  'GET /projects/:id/repository/commits/:sha/merge_requests': byOwner(({ Commits }, { head }) =>
    Commits.allMergeRequests('acme/web', head),
  ),
  'GET /projects/:id/repository/commits/:sha/sequence': byOwner(({ Commits }, { head }) =>
    Commits.showSequence('acme/web', head),
  ),
  'GET /projects/:id/repository/commits/:sha/comments': byOwner(({ Commits }, { head }) =>
    Commits.allComments('acme/web', head),
  ),
  'POST /projects/:id/repository/commits/:sha/comments': byOwner(({ Commits }, { head }) =>
    Commits.createComment('acme/web', head, 'Good'),
  ),
  'GET /projects/:id/protected_branches': byOwner(({ ProtectedBranches }) => ProtectedBranches.all('acme/web')),
  'GET /projects/:id/protected_branches/:name': byOwner(({ ProtectedBranches }) =>
    ProtectedBranches.show('acme/web', 'main'),
  ),
  'POST /projects/:id/protected_branches': byOwner(({ ProtectedBranches }, { name }) =>
    ProtectedBranches.protect('acme/web', name('release')),
  ),
  'PATCH /projects/:id/protected_branches/:name': byOwner(({ ProtectedBranches }) =>
    ProtectedBranches.edit('acme/web', 'main', { allowForcePush: false }),
  ),
  'DELETE /projects/:id/protected_branches/:name': byOwner(async ({ ProtectedBranches }, { protectedBranch }) =>
    ProtectedBranches.unprotect('acme/web', await protectedBranch()),
  ),
  'GET /projects/:id/protected_tags': byOwner(({ ProtectedTags }) => ProtectedTags.all('acme/web')),
  'GET /projects/:id/protected_tags/:name': byOwner(async ({ ProtectedTags }, { protectedTag }) =>
    ProtectedTags.show('acme/web', await protectedTag()),
  ),
  'POST /projects/:id/protected_tags': byOwner(({ ProtectedTags }, { name }) =>
    ProtectedTags.protect('acme/web', name('v')),
  ),
  'DELETE /projects/:id/protected_tags/:name': byOwner(async ({ ProtectedTags }, { protectedTag }) =>
    ProtectedTags.unprotect('acme/web', await protectedTag()),
  ),
  'GET /projects/:id/repository/files/:file_path': byOwner(({ RepositoryFiles }) =>
    RepositoryFiles.show('acme/web', 'docs/build.md', 'main'),
  ),
  'GET /projects/:id/repository/files/:file_path/raw': byOwner(({ RepositoryFiles }) =>
    RepositoryFiles.showRaw('acme/web', 'docs/build.md', 'main'),
  ),
  'GET /projects/:id/repository/files/:file_path/blame': byOwner(({ RepositoryFiles }) =>
    RepositoryFiles.allFileBlames('acme/web', 'docs/build.md', 'main'),
  ),
  'POST /projects/:id/repository/files/:file_path': byOwner(async ({ RepositoryFiles }, { branch }) =>
    RepositoryFiles.create('acme/web', 'docs/new.md', await branch(), 'New', 'Add a file'),
  ),
  'PUT /projects/:id/repository/files/:file_path': byOwner(async ({ RepositoryFiles }, { branch }) =>
    RepositoryFiles.edit('acme/web', 'docs/build.md', await branch(), 'Other', 'Change a file'),
  ),
  'DELETE /projects/:id/repository/files/:file_path': byOwner(async ({ RepositoryFiles }, { branch }) =>
    RepositoryFiles.remove('acme/web', 'docs/build.md', await branch(), 'Remove a file'),
  ),
  'GET /projects/:id/remote_mirrors/:mirror_id': byOwner(async ({ ProjectRemoteMirrors }, { mirror }) =>
    ProjectRemoteMirrors.show('acme/web', await mirror()),
  ),
  'DELETE /projects/:id/remote_mirrors/:mirror_id': byOwner(async ({ ProjectRemoteMirrors }, { mirror }) =>
    ProjectRemoteMirrors.remove('acme/web', await mirror()),
  ),
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': byOwner(async ({ ProjectRemoteMirrors }, { mirror }) =>
    ProjectRemoteMirrors.sync('acme/web', await mirror()),
  ),
}

const scim = '/api/scim/v2/groups/:group_path'
const noProvisioning = 'the client does not implement SCIM, which only identity providers use'

const branch = 'PUT /projects/:id/repository/branches/:branch'

const unsigned = 'the client cannot sign'

export const unsupportedRepositoryRoutes: UnsupportedRoutes = {
  'GET /projects/:id/pages': 'the client has no call for it',
  'PATCH /projects/:id/pages': 'the client has no call for it',
  'DELETE /projects/:id/pages': 'the client has no call for it',
  'GET /projects/:id/mirror/pull': 'the client has no call for it',
  'PUT /projects/:id/mirror/pull': 'the client has no call for it',
  'POST /projects/:id/mirror/pull': 'the client has no call for it',
  'GET /groups/:id/protected_branches': noCall,
  'POST /groups/:id/protected_branches': noCall,
  'GET /groups/:id/protected_branches/:name': noCall,
  'PATCH /groups/:id/protected_branches/:name': noCall,
  'DELETE /groups/:id/protected_branches/:name': noCall,
  [`${branch}/protect`]: noCall,
  [`${branch}/unprotect`]: noCall,
  'GET /projects/:id/repository/commits/:sha/signature': unsigned,
  'GET /projects/:id/repository/tags/:tag_name/signature': unsigned,
}

export const unsupportedProtocolRoutes: UnsupportedRoutes = Object.fromEntries(
  [
    `PUT ${scim}/Users/:id`,
    ...['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/:id', 'Schemas', 'Schemas/:id'].map(
      (path) => `GET ${scim}/${path}`,
    ),
  ].map((line) => [line, noProvisioning]),
)
