import { defined } from '@forgelet/core/operations'
import { readField, readText } from './json-fields.ts'
import { isFilePath, isReferenceName } from './names.ts'
import { decodeUtf8 } from './recorded-body.ts'
import { addFile, type RecordedProject } from './recorded-world.ts'
import { listObjects, projectRoute, type RecordedResponse } from './recording-route.ts'

/** The names of git for the default branch, and commit ids, whose branch is not known. */
const toRef = (project: RecordedProject, ref: string | null | undefined) =>
  ref === null || ref === undefined || ref === 'HEAD' || ref === project.fields.defaultBranch ? '' : ref

const addContent = (project: RecordedProject, ref: string, path: string, content: string | undefined) => {
  if (content === undefined) return 'the file is not text'
  if (!isFilePath(path)) return 'the path of the file is invalid'
  addFile(project, ref, path, content)
  return undefined
}

const decodeBase64 = (content: string | undefined) => decodeUtf8(Buffer.from(content ?? '', 'base64'))

const readFile = (project: RecordedProject, { body, params, query }: RecordedResponse) => {
  const [file] = listObjects(body)
  if (!file || readText(file, 'encoding') !== 'base64') return 'the response has no content in base64'
  const ref = toRef(project, readText(file, 'ref') ?? query.get('ref'))
  return addContent(project, ref, defined(params.path), decodeBase64(readText(file, 'content', 30_000_000)))
}

const readRawFile = (project: RecordedProject, { text, params, query }: RecordedResponse) =>
  addContent(project, toRef(project, query.get('ref')), defined(params.path), text)

/** Blobs have no path: trees contain it. */
const readTree = (project: RecordedProject, { body, query }: RecordedResponse) => {
  for (const entry of listObjects(body)) {
    const [id, path] = [readText(entry, 'id', 64), readText(entry, 'path', 1_000)]
    if (id === undefined || path === undefined || readText(entry, 'type') !== 'blob') continue
    const paths = project.blobPaths.get(id) ?? new Map<string, string>()
    project.blobPaths.set(id, paths.set(path, toRef(project, query.get('ref'))))
  }
  return undefined
}

const addBlob = (project: RecordedProject, id: string, content: string | undefined) => {
  const paths = project.blobPaths.get(id)
  if (!paths) return 'no recorded tree contains the path of the blob'
  const reasons = [...paths].map(([path, ref]) => addContent(project, ref, path, content))
  return reasons.find((reason) => reason !== undefined)
}

const readBlob = (project: RecordedProject, { body, params }: RecordedResponse) => {
  const [blob] = listObjects(body)
  return addBlob(project, defined(params.sha), blob && decodeBase64(readText(blob, 'content', 30_000_000)))
}

const readRefs =
  (kind: 'branches' | 'tags') =>
  (project: RecordedProject, { body }: RecordedResponse) => {
    for (const ref of listObjects(body)) {
      const name = readText(ref, 'name', 200)
      if (name === undefined || !isReferenceName(name)) continue
      if (readField(ref, 'default') === true && project.fields.defaultBranch === undefined)
        project.fields.defaultBranch = name
      if (kind === 'branches') project.branches.add(name)
      else if (!project.tags.has(name)) project.tags.set(name, readText(ref, 'message'))
    }
    return undefined
  }

/** Read before the blobs and files, which refer to them. */
export const refRoutes = [
  projectRoute('/repository/branches', readRefs('branches')),
  projectRoute('/repository/branches/:branch', readRefs('branches')),
  projectRoute('/repository/tags', readRefs('tags')),
  projectRoute('/repository/tags/:tag', readRefs('tags')),
  projectRoute('/repository/tree', readTree),
]

export const repositoryRoutes = [
  projectRoute('/repository/files/:path', readFile),
  projectRoute('/repository/files/:path/raw', readRawFile),
  projectRoute('/repository/blobs/:sha', readBlob),
  projectRoute('/repository/blobs/:sha/raw', (project, { text, params }) =>
    addBlob(project, defined(params.sha), text),
  ),
]
