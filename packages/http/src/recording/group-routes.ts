import { addShares } from './container-routes.ts'
import { type JsonObject, readChoice, readField, readFlag, readInstant, readText } from './json-fields.ts'
import { readProject } from './project-routes.ts'
import { fill, type RecordedWorld, type SeedGroup } from './recorded-world.ts'
import { groupRoute, listObjects, type ReadResponse, recordingRoute } from './recording-route.ts'
import { readVisibility } from './visibility.ts'

const readGroup = (world: RecordedWorld, object: JsonObject) => {
  const group = world.addGroup(readText(object, 'full_path') ?? '')
  if (!group) return
  fill<SeedGroup>(group.fields, {
    name: readText(object, 'name', 255),
    description: readText(object, 'description'),
    visibility: readVisibility(object),
    requestAccessEnabled: readFlag(object, 'request_access_enabled'),
    shareWithGroupLock: readFlag(object, 'share_with_group_lock'),
    projectCreationLevel: readChoice(object, 'project_creation_level', [
      'noone',
      'maintainer',
      'developer',
      'administrator',
      'owner',
    ]),
    subgroupCreationLevel: readChoice(object, 'subgroup_creation_level', ['owner', 'maintainer']),
    createdAt: readInstant(object, 'created_at'),
  })
  addShares(group, object, world)
  for (const name of ['projects', 'shared_projects']) {
    for (const project of listObjects(readField(object, name))) readProject(world, project)
  }
}

const readGroups: ReadResponse = (world, { body }) => {
  for (const group of listObjects(body)) readGroup(world, group)
  return undefined
}

/** Namespaces are groups and users. */
const readNamespaces: ReadResponse = (world, { body }) => {
  for (const namespace of listObjects(body)) {
    if (readText(namespace, 'kind') === 'user') world.addUser(readText(namespace, 'path'))
    else readGroup(world, namespace)
  }
  return undefined
}

export const groupRoutes = [
  recordingRoute('/groups', readGroups),
  recordingRoute('/groups/:id', readGroups),
  recordingRoute('/namespaces', readNamespaces),
  recordingRoute('/namespaces/:id', readNamespaces),
  ...['subgroups', 'descendant_groups'].map((list) =>
    groupRoute(`/${list}`, (_group, response, world) => readGroups(world, response)),
  ),
  ...['projects', 'projects/shared'].map((list) =>
    groupRoute(`/${list}`, (_group, { body }, world) => {
      for (const project of listObjects(body)) readProject(world, project)
      return undefined
    }),
  ),
]
