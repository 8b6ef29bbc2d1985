import { features } from '@forgelet/core/operations'
import { created, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { GroupHookWire, HookDeliveryWire, ProjectHookWire, ResendResultWire, SystemHookWire } from '../shapes/hook.ts'

const { hooks } = features

const extension = { extension: true } satisfies RouteOptions
const hookOptions = { ...extension, names: { hook_id: 'hook' } } satisfies RouteOptions

const eventOptions = { ...extension, names: { hook_id: 'hook', hook_event_id: 'delivery' } } satisfies RouteOptions

const testOptions = { ...hookOptions, errors: [422] } satisfies RouteOptions

const projectPath = '/projects/:id/hooks'
const groupPath = '/groups/:id/hooks'

/** Kinds of events that projects do not have. */
const groupEvents = ['subgroupEvents', 'memberEvents'] as const

const groupOptions = { hidden: ['repositoryUpdateEvents'] } satisfies RouteOptions
const projectOptions = { hidden: [...groupOptions.hidden, ...groupEvents] } satisfies RouteOptions
const systemOptions = {
  ...extension,
  hidden: [
    ...['project', 'group', 'issuesEvents', 'confidentialIssuesEvents', 'noteEvents', 'confidentialNoteEvents'],
    ...['jobEvents', 'pipelineEvents', 'wikiPageEvents', 'deploymentEvents', 'releasesEvents', ...groupEvents],
  ],
} satisfies RouteOptions
const systemHookOptions = { ...hookOptions, ...systemOptions }

export const hookRoutes = [
  route(`GET ${projectPath}`, hooks.list, page(ProjectHookWire), extension),
  route(`POST ${projectPath}`, hooks.create, one(ProjectHookWire), { ...extension, ...projectOptions }),
  route(`GET ${projectPath}/:hook_id`, hooks.get, one(ProjectHookWire), hookOptions),
  route(`PUT ${projectPath}/:hook_id`, hooks.update, one(ProjectHookWire), { ...hookOptions, ...projectOptions }),
  route(`DELETE ${projectPath}/:hook_id`, hooks.remove, empty(), hookOptions),
  route(`GET ${projectPath}/:hook_id/events`, hooks.listDeliveries, page(HookDeliveryWire), hookOptions),
  route(`POST ${projectPath}/:hook_id/events/:hook_event_id/resend`, hooks.resend, one(ResendResultWire), eventOptions),
  route(`POST ${projectPath}/:hook_id/test/:trigger`, hooks.test, created(), testOptions),
  route(`GET ${groupPath}`, hooks.list, page(GroupHookWire), extension),
  route(`POST ${groupPath}`, hooks.create, one(GroupHookWire), { ...extension, ...groupOptions }),
  route(`GET ${groupPath}/:hook_id`, hooks.get, one(GroupHookWire), hookOptions),
  route(`PUT ${groupPath}/:hook_id`, hooks.update, one(GroupHookWire), { ...hookOptions, ...groupOptions }),
  route(`DELETE ${groupPath}/:hook_id`, hooks.remove, empty(), hookOptions),
  route(`GET ${groupPath}/:hook_id/events`, hooks.listDeliveries, page(HookDeliveryWire), hookOptions),
  route(`POST ${groupPath}/:hook_id/events/:hook_event_id/resend`, hooks.resend, one(ResendResultWire), eventOptions),
  route(`POST ${groupPath}/:hook_id/test/:trigger`, hooks.test, created(), testOptions),
  route('GET /hooks', hooks.list, page(SystemHookWire), systemOptions),
  route('POST /hooks', hooks.create, one(SystemHookWire), systemOptions),
  route('GET /hooks/:hook_id', hooks.get, one(SystemHookWire), systemHookOptions),
  route('PUT /hooks/:hook_id', hooks.update, one(SystemHookWire), systemHookOptions),
  route('DELETE /hooks/:hook_id', hooks.remove, empty(), systemHookOptions),
]
