import { readId, readObject, readText } from './json-fields.ts'
import type { RecordedWorld } from './recorded-world.ts'
import { listObjects } from './recording-route.ts'

/** The path of a project in a reference such as `acme/web#7` or `acme/web!7`. */
const toProjectPath = (reference: string | undefined) => /^(.+)[#!]\d+$/.exec(reference ?? '')?.[1]

/** Stores the paths of projects and groups by id, because requests can name both by id. */
export const learnPaths = (world: RecordedWorld, body: unknown): void => {
  for (const object of listObjects(body)) {
    const id = readId(object, 'id')
    const path = readText(object, 'path_with_namespace')
    if (id !== undefined && path !== undefined) world.projectPaths.set(id, path)
    const fullPath = readText(object, 'full_path')
    if (id !== undefined && fullPath !== undefined && readText(object, 'kind') !== 'user')
      world.groupPaths.set(id, fullPath)
    const namespace = readObject(object, 'namespace')
    if (namespace) learnPaths(world, namespace)
    const projectId = readId(object, 'project_id')
    const references = readObject(object, 'references')
    const projectPath = references && toProjectPath(readText(references, 'full'))
    if (projectId !== undefined && projectPath !== undefined) world.projectPaths.set(projectId, projectPath)
  }
}
