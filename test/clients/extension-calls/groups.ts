import { byOwner, byUser, type ClientCalls, noCall, type UnsupportedRoutes } from './client-world.ts'

/** Groups, their shares and labels. */
export const groupCalls: ClientCalls = {
  'POST /groups': byUser(({ Groups }, { name }) => Groups.create('Group', name('group'))),
  'PUT /groups/:id': byOwner(({ Groups }) => Groups.edit('acme', { description: 'Everything' })),
  'DELETE /groups/:id': byOwner(async ({ Groups }, { subgroup }) => Groups.remove(await subgroup())),
  'GET /groups/:id/avatar': byOwner(async ({ Groups }, { host }) => {
    await host.groups.update({ group: 'acme', avatar: { fileName: 'a.gif', content: Buffer.from('GIF89a') } })
    return Groups.downloadAvatar('acme')
  }),
  'GET /groups/:id/descendant_groups': byOwner(({ Groups }) => Groups.allDescendantGroups('acme', {})),
  'GET /projects/:id/groups': byOwner(({ Projects }, { project }) => Projects.allGroups(project)),
  'GET /projects/:id/invited_groups': byOwner(({ Projects }, { project }) => Projects.allInvitedGroups(project)),
  'GET /projects/:id/transfer_locations': byOwner(({ Projects }, { project }) =>
    Projects.allTransferLocations(project),
  ),
  'GET /groups/:id/transfer_locations': byOwner(async ({ Groups }, { subgroup }) =>
    Groups.allTransferLocations(await subgroup()),
  ),
  'GET /projects/:id/share_locations': byOwner(({ Projects }, { project }) => Projects.allSharableGroups(project)),
  'POST /groups/:id/restore': byOwner(async ({ Groups }, { subgroup, host }) => {
    const group = await subgroup()
    await host.settings.update({ deletionAdjournedPeriod: 7 })
    await host.groups.remove({ group })
    await host.settings.update({ deletionAdjournedPeriod: 0 })
    return Groups.restore(group)
  }),
  'POST /groups/:id/transfer': byOwner(async ({ Groups }, { subgroup }) =>
    Groups.transfer(await subgroup(), { groupId: await subgroup() } as never),
  ),
  'POST /groups/:id/share': byOwner(async ({ Groups }, { subgroup }) =>
    Groups.share(await subgroup(), await subgroup(), 20, {}),
  ),
  'DELETE /groups/:id/share/:group_id': byOwner(async ({ Groups }, { subgroup, host }) => {
    const [group, withGroup] = [await subgroup(), await subgroup()]
    await host.shares.create({ group, withGroup, accessLevel: 20 })
    return Groups.unshare(group, withGroup, {})
  }),
  'GET /groups/:id/labels': byOwner(({ GroupLabels }) => GroupLabels.all('acme')),
  'POST /groups/:id/labels': byOwner(({ GroupLabels }, { name }) => GroupLabels.create('acme', name('label'), 'red')),
  'GET /groups/:id/labels/:label_id': byOwner(async ({ GroupLabels }, { label, group }) =>
    GroupLabels.show('acme', await label({ group })),
  ),
  'PUT /groups/:id/labels/:label_id': byOwner(async ({ GroupLabels }, { label, group }) =>
    GroupLabels.edit('acme', await label({ group }), { color: 'blue' }),
  ),
  'DELETE /groups/:id/labels/:label_id': byOwner(async ({ GroupLabels }, { label, group }) =>
    GroupLabels.remove('acme', await label({ group })),
  ),
  'GET /groups/:id/saml/identities': byOwner(({ GroupSAMLIdentities }) => GroupSAMLIdentities.all('acme', {})),
  'GET /groups/:id/scim/identities': byOwner(({ GroupSCIMIdentities }) => GroupSCIMIdentities.all('acme', {})),
}

const wrongPath = 'the client sends it to a path of issues'
const older = 'the client supports only the newer form with the label in the path'

export const unsupportedGroupRoutes: UnsupportedRoutes = {
  'POST /groups/:id/archive': noCall,
  'POST /groups/:id/unarchive': noCall,
  'POST /groups/:id/projects/:project_id': noCall,
  'GET /groups/:id/groups/shared': noCall,
  'GET /groups/:id/invited_groups': noCall,
  'PUT /groups/:id/labels': older,
  'DELETE /groups/:id/labels': older,
  'POST /groups/:id/labels/:label_id/subscribe': wrongPath,
  'POST /groups/:id/labels/:label_id/unsubscribe': wrongPath,
  ...Object.fromEntries(
    [
      'POST /groups/:id/members/sync',
      ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /groups/:id/sso`),
      'GET /groups/:id/sso/scim_tokens',
      'POST /groups/:id/sso/scim_tokens',
      'POST /groups/:id/sso/scim_tokens/:token_id/rotate',
      'DELETE /groups/:id/sso/scim_tokens/:token_id',
    ].map((line) => [line, 'the route is ours']),
  ),
  ...Object.fromEntries(
    ['saml', 'scim'].flatMap((protocol) => [
      [`GET /groups/:id/${protocol}/:uid`, noCall],
      [`PATCH /groups/:id/${protocol}/:uid`, 'the client does not send the new id'],
      [`DELETE /groups/:id/${protocol}/:uid`, noCall],
    ]),
  ),
}
