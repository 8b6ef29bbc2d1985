import { addMilestone } from './container-routes.ts'
import {
  type JsonObject,
  readChoice,
  readField,
  readId,
  readInstant,
  readList,
  readObject,
  readText,
  toObject,
  withoutUndefined,
} from './json-fields.ts'
import {
  addSnippet,
  addUserOf,
  type Draft,
  fill,
  type RecordedProject,
  type RecordedSnippet,
  type RecordedWorld,
  type SeedRelease,
  type SeedSnippet,
} from './recorded-world.ts'
import { listObjects, projectRoute, type RecordedResponse, recordingRoute } from './recording-route.ts'
import { readVisibility } from './visibility.ts'

const readLinks = (release: JsonObject): SeedRelease['links'] => {
  const links = readList(readObject(release, 'assets') ?? {}, 'links').flatMap((value) => {
    const link = toObject(value)
    const [name, url] = [link && readText(link, 'name', 255), link && readText(link, 'url', 2_000)]
    if (
      !link ||
      name === undefined ||
      url === undefined ||
      !/^(?:https?|ftp):\/\/[^\s]+$/.test(url) ||
      !URL.canParse(url)
    )
      return []
    return [
      withoutUndefined({
        name,
        url,
        linkType: readChoice(link, 'link_type', ['other', 'runbook', 'image', 'package']),
      }),
    ]
  })
  // Names and URLs are unique in a release. Lists have the newest first.
  const unique = new Map(links.map((link) => [link.name, link] as const))
  const distinct = [...new Map([...unique.values()].map((link) => [link.url, link] as const)).values()].reverse()
  return distinct.length ? distinct : undefined
}

const readReleases = (project: RecordedProject, { body }: RecordedResponse, world: RecordedWorld) => {
  for (const object of listObjects(body)) {
    const tag = readText(object, 'tag_name', 200)
    if (tag === undefined) continue
    const release: Draft<SeedRelease> = project.releases.get(tag) ?? { tag }
    project.releases.set(tag, release)
    const titles = readList(object, 'milestones').map((milestone) => addMilestone(world, project, milestone))
    const milestones = [...new Set(titles.filter((title) => title !== undefined))]
    fill<SeedRelease>(release, {
      name: readText(object, 'name', 255),
      description: readText(object, 'description'),
      author: addUserOf(world, readField(object, 'author')),
      createdAt: readInstant(object, 'released_at') ?? readInstant(object, 'created_at'),
      milestones: milestones.length ? milestones : undefined,
      links: readLinks(object),
    })
  }
  return undefined
}

const addSnippetFields = (world: RecordedWorld, snippets: Map<number, RecordedSnippet>, object: JsonObject) => {
  const id = readId(object, 'id')
  const title = readText(object, 'title', 255)
  if (id === undefined || title === undefined) return
  fill<SeedSnippet>(addSnippet(snippets, id).fields, {
    title,
    fileName: readText(object, 'file_name', 255),
    description: readText(object, 'description'),
    visibility: readVisibility(object),
    author: addUserOf(world, readField(object, 'author')),
    createdAt: readInstant(object, 'created_at'),
  })
}

/** Project snippets can be in the lists of personal ones. */
const readSnippets = (world: RecordedWorld, { body }: RecordedResponse) => {
  for (const object of listObjects(body)) {
    const path = world.projectPaths.get(readId(object, 'project_id') ?? 0)
    const project = path === undefined ? undefined : world.addProject(path)
    addSnippetFields(world, project?.snippets ?? world.snippets, object)
  }
  return undefined
}

const readContent = (snippets: Map<number, RecordedSnippet>, id: number, { text }: RecordedResponse) => {
  const content = readText({ text: text ?? '' }, 'text')
  if (content === undefined || !Number.isSafeInteger(id)) return 'the content is empty or not text'
  fill<SeedSnippet>(addSnippet(snippets, id).fields, { content })
  return undefined
}

export const publicationRoutes = [
  projectRoute('/releases', readReleases),
  projectRoute('/releases/:tag', readReleases),
  recordingRoute('/snippets', readSnippets),
  recordingRoute('/snippets/public', readSnippets),
  recordingRoute('/snippets/:id', readSnippets),
  recordingRoute('/snippets/:id/raw', (world, response) =>
    readContent(world.snippets, Number(response.params.id), response),
  ),
  projectRoute('/snippets', (project, { body }, world) => {
    for (const object of listObjects(body)) addSnippetFields(world, project.snippets, object)
    return undefined
  }),
  projectRoute('/snippets/:snippet_id', (project, { body }, world) => {
    for (const object of listObjects(body)) addSnippetFields(world, project.snippets, object)
    return undefined
  }),
  projectRoute('/snippets/:snippet_id/raw', ({ snippets }, response) =>
    readContent(snippets, Number(response.params.snippet_id), response),
  ),
]
