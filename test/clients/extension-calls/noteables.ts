import type { ClientWorld } from './client-world.ts'

/** An item: its number for the path, and its fields for operations. */
interface Item {
  readonly id: number
  readonly input: object
}

/** A kind of item that has notes. */
export interface Noteable {
  /** Path of its items. */
  readonly base: string
  /** Full path of the project or group of its items. */
  readonly parent: string
  /** Creates an item. */
  create(world: ClientWorld): Promise<Item>
}

export const project = 'acme/web'
export const issues: Noteable = {
  base: '/projects/:id/issues/:issue_iid',
  parent: project,
  create: async ({ issue }) => {
    const id = await issue()
    return { id, input: { project, issue: id } }
  },
}
export const mergeRequests: Noteable = {
  base: '/projects/:id/merge_requests/:merge_request_iid',
  parent: project,
  create: async () => ({ id: 1, input: { project, mergeRequest: 1 } }),
}
export const snippets: Noteable = {
  base: '/projects/:id/snippets/:snippet_id',
  parent: project,
  create: async (world) => {
    const snippet = await world.snippet()
    return { id: snippet, input: { project, snippet } }
  },
}
export const epics: Noteable = {
  base: '/groups/:id/epics/:epic_id',
  parent: 'acme',
  create: async (world) => {
    const { id } = await world.epic()
    return { id, input: { group: 'acme', epicId: id } }
  },
}
