import { byAdmin, byOwner, type ClientCalls, type ClientWorld } from './client-world.ts'

/** A new event of a project or a group. */
const newEvent = async (
  { host, name }: ClientWorld,
  place: { readonly project: string } | { readonly group: string },
) => {
  if ('project' in place) await host.deployTokens.create({ ...place, name: name('token'), scopes: ['read_repository'] })
  else await host.groups.update({ ...place, description: name('description') })
  return (await host.auditEvents.list(place)).items[0]?.id ?? 0
}

export const auditEventCalls: ClientCalls = {
  'GET /audit_events': byAdmin(({ AuditEvents }) => AuditEvents.all()),
  'GET /audit_events/:id': byAdmin(async ({ AuditEvents }, world) =>
    AuditEvents.show(await newEvent(world, { group: 'acme' })),
  ),
  'GET /groups/:id/audit_events': byOwner(({ AuditEvents }) => AuditEvents.all({ groupId: 'acme' })),
  'GET /groups/:id/audit_events/:audit_event_id': byOwner(async ({ AuditEvents }, world) =>
    AuditEvents.show(await newEvent(world, { group: 'acme' }), { groupId: 'acme' }),
  ),
  'GET /projects/:id/audit_events': byOwner(({ AuditEvents }) => AuditEvents.all({ projectId: 'acme/web' })),
  'GET /projects/:id/audit_events/:audit_event_id': byOwner(async ({ AuditEvents }, world) =>
    AuditEvents.show(await newEvent(world, { project: 'acme/web' }), { projectId: 'acme/web' }),
  ),
}
