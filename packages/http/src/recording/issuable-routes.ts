import { addMilestone, readLabelName } from './container-routes.ts'
import {
  type JsonObject,
  readCount,
  readDay,
  readField,
  readFlag,
  readId,
  readInstant,
  readList,
  readText,
  toObject,
  withoutUndefined,
} from './json-fields.ts'
import {
  addIssuable,
  addUserOf,
  fill,
  type IssuableFields,
  type RecordedIssuable,
  type RecordedProject,
  type RecordedWorld,
} from './recorded-world.ts'
import { groupRoute, listObjects, projectRoute, type RecordedResponse, recordingRoute } from './recording-route.ts'

const maxWeight = 2 ** 31 - 1

type Kind = 'issues' | 'mergeRequests'

/** Items are `closed`, merge requests also `merged`; all other states are open ones. */
const readState = (object: JsonObject, kind: Kind) => {
  const state = readText(object, 'state')
  if (state === 'closed') return state
  return state === 'merged' && kind === 'mergeRequests' ? state : undefined
}

/** Names, or objects with `with_labels_details`. */
const readLabelNames = (object: JsonObject) => {
  const values = readList(object, 'labels').map((label) => {
    const details = toObject(label)
    return readLabelName(details ? readField(details, 'name') : label)
  })
  const names = [...new Set(values.filter((name) => name !== undefined))].slice(0, 1_000)
  return names.length ? names : undefined
}

const readAssignees = (world: RecordedWorld, object: JsonObject) => {
  const values = [...readList(object, 'assignees'), readField(object, 'assignee')]
  const usernames = [...new Set(values.flatMap((value) => addUserOf(world, value) ?? []))].slice(0, 1_000)
  return usernames.length ? usernames : undefined
}

const addItem = (world: RecordedWorld, project: RecordedProject, kind: Kind, object: JsonObject) => {
  const iid = readId(object, 'iid')
  const title = readText(object, 'title', 255)
  if (iid === undefined || title === undefined) return
  const isIssue = kind === 'issues'
  const { fields } = addIssuable(project[kind], iid)
  fill<IssuableFields>(fields, {
    title,
    description: readText(object, 'description'),
    author: addUserOf(world, readField(object, 'author')),
    state: readState(object, kind),
    labels: readLabelNames(object),
    assignees: readAssignees(world, object),
    milestone: addMilestone(world, project, readField(object, 'milestone')),
    discussionLocked: readFlag(object, 'discussion_locked') || undefined,
    createdAt: readInstant(object, 'created_at'),
    endedAt: readInstant(object, 'merged_at') ?? readInstant(object, 'closed_at'),
    ...(isIssue
      ? {
          confidential: readFlag(object, 'confidential') || undefined,
          dueDate: readDay(object, 'due_date'),
          weight: readCount(object, 'weight', maxWeight),
        }
      : { sourceBranch: readText(object, 'source_branch', 255), targetBranch: readText(object, 'target_branch', 255) }),
  })
}

const findProject = (world: RecordedWorld, object: JsonObject) => {
  const path = world.projectPaths.get(readId(object, 'project_id') ?? 0)
  return path === undefined ? undefined : world.addProject(path)
}

/** Items of any project, which `project_id` names. */
const readItems = (kind: Kind) => (world: RecordedWorld, body: unknown) => {
  const items = listObjects(body).map((object) => ({ object, project: findProject(world, object) }))
  for (const { object, project } of items) if (project) addItem(world, project, kind, object)
  return items.length && items.every(({ project }) => !project)
    ? 'no response contains the paths of the projects'
    : undefined
}

const readProjectItems =
  (kind: Kind) =>
  (project: RecordedProject, { body }: RecordedResponse, world: RecordedWorld) => {
    for (const object of listObjects(body)) addItem(world, project, kind, object)
    return undefined
  }

const addNote = (world: RecordedWorld, { notes }: RecordedIssuable, object: JsonObject) => {
  const id = readId(object, 'id')
  const author = addUserOf(world, readField(object, 'author'))
  const body = readText(object, 'body')
  if (id === undefined || author === undefined || body === undefined || notes.has(id)) return
  const internal = readFlag(object, 'internal') ?? readFlag(object, 'confidential')
  const system = readFlag(object, 'system')
  const flags = { internal: internal || undefined, system: system || undefined }
  notes.set(id, withoutUndefined({ author, body, ...flags, createdAt: readInstant(object, 'created_at') }) as never)
}

const addAward = (world: RecordedWorld, { emoji }: RecordedIssuable, object: JsonObject) => {
  const name = readText(object, 'name', 100)
  const user = addUserOf(world, readField(object, 'user'))
  if (name === undefined || user === undefined || !/^[a-z0-9_+-]+$/.test(name)) return
  emoji.set(name, (emoji.get(name) ?? new Set()).add(user))
}

/** Routes below an issue or a merge request. */
const detailRoute = (
  kind: Kind,
  base: string,
  path: string,
  add: (world: RecordedWorld, item: RecordedIssuable, object: JsonObject) => void,
) =>
  projectRoute(`/${base}/:iid${path}`, (project, { body, params }, world) => {
    const iid = Number(params.iid)
    if (!Number.isSafeInteger(iid) || iid < 1) return 'the number in the path is invalid'
    const item = addIssuable(project[kind], iid)
    for (const object of listObjects(body)) add(world, item, object)
    return undefined
  })

/** Threads become comments. */
const addDiscussion = (world: RecordedWorld, item: RecordedIssuable, object: JsonObject) => {
  for (const note of listObjects(readField(object, 'notes'))) addNote(world, item, note)
}

const routesOf = (kind: Kind, base: string) => [
  recordingRoute(`/${base}`, (world, { body }) => readItems(kind)(world, body)),
  groupRoute(`/${base}`, (_group, { body }, world) => readItems(kind)(world, body)),
  projectRoute(`/${base}`, readProjectItems(kind)),
  projectRoute(`/${base}/:iid`, readProjectItems(kind)),
  detailRoute(kind, base, '/notes', addNote),
  detailRoute(kind, base, '/notes/:note_id', addNote),
  detailRoute(kind, base, '/discussions', addDiscussion),
  detailRoute(kind, base, '/discussions/:discussion_id', addDiscussion),
  detailRoute(kind, base, '/award_emoji', addAward),
]

export const issuableRoutes = [
  ...routesOf('issues', 'issues'),
  ...routesOf('mergeRequests', 'merge_requests'),
  projectRoute('/issues/:iid/related_merge_requests', (_project, { body }, world) =>
    readItems('mergeRequests')(world, body),
  ),
  projectRoute('/merge_requests/:iid/closes_issues', (_project, { body }, world) => readItems('issues')(world, body)),
]
