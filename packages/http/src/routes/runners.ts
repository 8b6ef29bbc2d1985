import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { JobInProjectWire } from '../shapes/job.ts'
import { NewRunnerWire, RunnerDetailsWire, RunnerTokenWire, RunnerWire } from '../shapes/runner.ts'

const { runners } = features

type Rewrite = NonNullable<RouteOptions['rewrite']>

const extension = { extension: true } satisfies RouteOptions

const opposites: Readonly<Record<string, string>> = { true: 'false', 1: 'false', false: 'true', 0: 'true' }

/** `active` is the older form of `paused`, and `maintainer_note` of `maintenance_note`. */
const readOlderSettings: Rewrite = ({ active, maintainer_note: note, ...others }) => ({
  ...(active !== undefined && { paused: opposites[String(active)] ?? active }),
  ...(note !== undefined && { maintenance_note: note }),
  ...others,
})

const olderSettings = {
  active: v.optional(v.pipe(v.boolean(), v.description('Older form of `paused`: the opposite.'))),
  maintainer_note: v.optional(
    v.pipe(v.string(), v.description('Older name of `maintenance_note`, which takes precedence.')),
  ),
}

const olderScopes: Readonly<Record<string, Parameters<Rewrite>[0]>> = {
  specific: { type: 'project_type' },
  shared: { type: 'instance_type' },
  instance_type: { type: 'instance_type' },
  group_type: { type: 'group_type' },
  project_type: { type: 'project_type' },
  active: { paused: 'false' },
  paused: { paused: 'true' },
}

/** `scope` is the older form of `type`, `status` and `paused`; so are two values of `status`. */
const readScope: Rewrite = ({ scope, status, ...others }) => {
  const named = typeof scope === 'string' && scope !== '' ? (olderScopes[scope] ?? { status: scope }) : {}
  const current = status === 'active' || status === 'paused' ? olderScopes[status] : status !== undefined && { status }
  return { ...named, ...current, ...others }
}

const listOptions = {
  ...extension,
  hidden: ['managed'],
  rewrite: readScope,
  wireParameters: {
    scope: v.optional(
      v.pipe(
        v.picklist([...Object.keys(olderScopes), 'online', 'offline', 'stale', 'never_contacted']),
        v.description('Older form of `type`, `status` and `paused`.'),
      ),
    ),
  },
} satisfies RouteOptions

const settingsOptions = {
  ...extension,
  rewrite: readOlderSettings,
  wireParameters: olderSettings,
} satisfies RouteOptions
const byId = { ...extension, names: { runner_id: 'runner' }, hidden: ['token'] } satisfies RouteOptions
const byToken = { ...extension, hidden: ['runner'], required: ['token'] } satisfies RouteOptions
const assignment = { ...extension, names: { runner_id: 'runner' } } satisfies RouteOptions
const ofInstance = { hidden: ['project', 'group', 'managed'] } satisfies RouteOptions

export const runnerRoutes = [
  route('GET /runners', runners.list, page(RunnerWire), {
    ...listOptions,
    hidden: ['project', 'group'],
    fixedInput: { managed: true },
  }),
  route('GET /runners/all', runners.list, page(RunnerWire), { ...listOptions, ...ofInstance }),
  route('GET /projects/:id/runners', runners.list, page(RunnerWire), listOptions),
  route('GET /groups/:id/runners', runners.list, page(RunnerWire), listOptions),
  route('GET /runners/:runner_id', runners.get, one(RunnerDetailsWire), byId),
  route('PUT /runners/:runner_id', runners.update, one(RunnerDetailsWire), { ...settingsOptions, ...byId }),
  route('DELETE /runners/:runner_id', runners.remove, empty(), byId),
  route('GET /runners/:runner_id/jobs', runners.listJobs, page(JobInProjectWire), {
    ...extension,
    names: { runner_id: 'runner' },
  }),
  route('DELETE /runners', runners.remove, empty(), byToken),
  route('POST /runners', runners.register, one(NewRunnerWire), {
    ...settingsOptions,
    names: { token: 'registrationToken' },
  }),
  route('POST /runners/verify', runners.verify, one(NewRunnerWire), { ...extension, creates: false }),
  route('POST /user/runners', runners.create, one(NewRunnerWire), {
    ...extension,
    names: { project_id: 'project', group_id: 'group' },
    hidden: ['secret'],
    required: ['runner_type'],
  }),
  route('POST /runners/reset_registration_token', runners.resetRegistrationToken, one(RunnerTokenWire), {
    ...extension,
    hidden: ['project', 'group', 'secret'],
  }),
  ...(['groups', 'projects'] as const).map((places) =>
    route(
      `POST /${places}/:id/runners/reset_registration_token`,
      runners.resetRegistrationToken,
      one(RunnerTokenWire),
      { ...extension, hidden: ['secret'] },
    ),
  ),
  route('POST /runners/reset_authentication_token', runners.rotateToken, one(RunnerTokenWire), byToken),
  route('POST /runners/:runner_id/reset_authentication_token', runners.rotateToken, one(RunnerTokenWire), byId),
  route('POST /projects/:id/runners', runners.enable, one(RunnerWire), assignment),
  route('DELETE /projects/:id/runners/:runner_id', runners.disable, empty(), assignment),
]
