import { features, isStorable } from '@forgelet/core/operations'
import * as v from 'valibot'
import { toSnakeCase } from '../wire-names.ts'
import { addShares, readAccess } from './container-routes.ts'
import { type JsonObject, readChoice, readField, readFlag, readInstant, readObject, readText } from './json-fields.ts'
import {
  addUserOf,
  fill,
  type RecordedProject,
  type RecordedWorld,
  type SeedGroup,
  type SeedProject,
  type SeedUser,
} from './recorded-world.ts'
import { listObjects, projectRoute, type ReadResponse, recordingRoute } from './recording-route.ts'
import { readVisibility } from './visibility.ts'

/** The settings of a project that have no field of their own in a seed. */
const { wrapped } = features.projects.create.entries.settings as unknown as {
  readonly wrapped: { readonly entries: Readonly<Record<string, v.GenericSchema>> }
}

/** Those that describe the instance or refer to data that is not imported. */
const omittedSettings = ['importStatus', 'repositoryStorage', 'containerExpirationPolicy']

const readSettings = (project: JsonObject): SeedProject['settings'] => {
  const values = Object.entries(wrapped.entries).flatMap(([name, schema]) => {
    const value = readField(project, toSnakeCase(name))
    const isKnown = value !== undefined && value !== null && !omittedSettings.includes(name)
    return isKnown && v.is(schema, value) && isStorable(value) ? [[name, value] as const] : []
  })
  return values.length ? Object.fromEntries(values) : undefined
}

const featureLevels = ['disabled', 'private', 'enabled'] as const

const readNamespace = (world: RecordedWorld, namespace: JsonObject) => {
  const fullPath = readText(namespace, 'full_path')
  if (readText(namespace, 'kind') === 'user') {
    const user = world.addUser(fullPath)
    if (user) fill<SeedUser>(user, { name: readText(namespace, 'name', 255) })
  } else if (fullPath !== undefined) {
    const group = world.addGroup(fullPath)
    if (group) fill<SeedGroup>(group.fields, { name: readText(namespace, 'name', 255) })
  }
}

/** The access of the current user as a member of the project and of the group. */
const readPermissions = (world: RecordedWorld, project: RecordedProject, permissions: JsonObject) => {
  const [ofProject, ofGroup] = ['project_access', 'group_access'].map((name) => {
    const grant = readObject(permissions, name)
    return grant && readAccess(grant, 'access_level')
  })
  if (ofProject !== undefined) world.currentAccess.push({ container: project, access: ofProject })
  const group = world.groups.get(project.path.slice(0, project.path.lastIndexOf('/')).toLowerCase())
  if (group && ofGroup !== undefined) world.currentAccess.push({ container: group, access: ofGroup })
}

export const readProject = (world: RecordedWorld, object: JsonObject): void => {
  const project = world.addProject(readText(object, 'path_with_namespace') ?? '')
  if (!project) return
  const namespace = readObject(object, 'namespace')
  if (namespace) readNamespace(world, namespace)
  addUserOf(world, readField(object, 'owner'))
  fill<SeedProject>(project.fields, {
    name: readText(object, 'name', 255),
    description: readText(object, 'description'),
    visibility: readVisibility(object),
    defaultBranch: readText(object, 'default_branch', 255),
    requestAccessEnabled: readFlag(object, 'request_access_enabled'),
    issuesAccessLevel: readChoice(object, 'issues_access_level', featureLevels),
    mergeRequestsAccessLevel: readChoice(object, 'merge_requests_access_level', featureLevels),
    repositoryAccessLevel: readChoice(object, 'repository_access_level', featureLevels),
    snippetsAccessLevel: readChoice(object, 'snippets_access_level', featureLevels),
    archived: readFlag(object, 'archived') || undefined,
    createdAt: readInstant(object, 'created_at'),
    settings: readSettings(object),
  })
  addShares(project, object, world)
  const permissions = readObject(object, 'permissions')
  if (permissions) readPermissions(world, project, permissions)
}

const readProjects: ReadResponse = (world, { body }) => {
  for (const project of listObjects(body)) readProject(world, project)
  return undefined
}

export const projectRoutes = [
  recordingRoute('/projects', readProjects),
  recordingRoute('/projects/:id', readProjects),
  recordingRoute('/users/:id/projects', readProjects),
  projectRoute('/forks', (_project, response, world) => readProjects(world, response)),
]
