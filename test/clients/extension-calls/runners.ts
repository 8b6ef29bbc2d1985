import {
  byAdmin,
  byOwner,
  byUser,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'

const runner = async ({ host, project }: ClientWorld) => (await host.runners.create({ project })).id

/** Runners. */
export const runnerCalls: ClientCalls = {
  'GET /runners': byUser(({ Runners }) => Runners.all({ owned: true })),
  'GET /runners/all': byAdmin(({ Runners }) => Runners.all()),
  'GET /projects/:id/runners': byOwner(({ Runners }) => Runners.all({ projectId: 'acme/web' })),
  'GET /groups/:id/runners': byOwner(({ Runners }) => Runners.all({ groupId: 'acme' })),
  'GET /runners/:runner_id': byOwner(async ({ Runners }, world) => Runners.show(await runner(world))),
  'PUT /runners/:runner_id': byOwner(async ({ Runners }, world) =>
    Runners.edit(await runner(world), { description: 'x', tagList: ['a'] }),
  ),
  'DELETE /runners/:runner_id': byOwner(async ({ Runners }, world) =>
    Runners.remove({ runnerId: await runner(world) }),
  ),
  'GET /runners/:runner_id/jobs': byOwner(async ({ Runners }, world) => Runners.allJobs(await runner(world))),
  'POST /user/runners': byAdmin(({ Users }) => Users.createCIRunner('instance_type')),
  'POST /projects/:id/runners': byOwner(async ({ Runners }, world) => {
    const { id: other } = await world.host.projects.create({ name: world.name('other'), namespace: 'acme' })
    return Runners.enable('acme/web', (await world.host.runners.create({ project: other })).id)
  }),
  'DELETE /projects/:id/runners/:runner_id': byOwner(async ({ Runners }, world) => {
    const { id: other } = await world.host.projects.create({ name: world.name('other'), namespace: 'acme' })
    const id = await runner(world)
    await world.host.runners.enable({ project: other, runner: id })
    return Runners.disable('acme/web', id)
  }),
  'POST /runners/reset_registration_token': byAdmin(({ Runners }) => Runners.resetRegistrationToken({ token: 'x' })),
}

const onlyToken = 'the token of the call decides, not its user'

export const unsupportedRunnerRoutes: UnsupportedRoutes = {
  'POST /runners': onlyToken,
  'POST /jobs/request': noCall,
  'PUT /jobs/:job_id': noCall,
  'PATCH /jobs/:job_id/trace': noCall,
  'POST /jobs/:job_id/artifacts': noCall,
  'GET /jobs/:job_id/artifacts': noCall,
  'DELETE /runners': onlyToken,
  'POST /runners/verify': onlyToken,
  'POST /runners/reset_authentication_token': onlyToken,
  'POST /runners/:runner_id/reset_authentication_token': noCall,
  'POST /groups/:id/runners/reset_registration_token': noCall,
  'POST /projects/:id/runners/reset_registration_token': noCall,
}
