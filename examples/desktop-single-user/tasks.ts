import { createPlatform, isPlatformError, sqlite } from '@forgelet/core'

const project = 'me/tasks'

/**
 * The tasks of the one person who uses this machine: issues of one project in one file.
 *
 * @param file an empty one is made when there is none
 */
export async function openTasks(file: string) {
  // Every call is made as this user: no sign-in, no tokens, no server.
  const forge = createPlatform(sqlite(file), { identity: { user: 'me' } })
  const isNew = await forge.projects.get({ project }).then(
    () => false,
    (error: unknown) => {
      // Before the first start there is nobody yet.
      if (isPlatformError(error) && error.code === 'unauthenticated') return true
      throw error
    },
  )
  if (isNew) {
    await forge.atomic(async (open) => {
      await open.as({ system: 'first start' }).users.create({ username: 'me', email: 'me@localhost.localdomain' })
      await open.projects.create({ path: 'tasks', name: 'Tasks', visibility: 'private' })
    })
  }

  return {
    add: (title: string, labels: readonly string[]) => forge.issues.create({ project, title, labels: [...labels] }),
    /** Tasks that are left, the oldest first. */
    async left(label?: string) {
      const titles: string[] = []
      for (let page = 1, more = true; more; page++) {
        const list = await forge.issues.list({
          project,
          page,
          perPage: 100,
          state: 'opened',
          orderBy: 'created_at',
          sort: 'asc',
          ...(label !== undefined && { labels: [label] }),
        })
        titles.push(
          ...list.items.map(({ iid, title, labels }) => [iid, title, ...labels.map((name) => `#${name}`)].join(' ')),
        )
        more = list.hasNext
      }
      return titles
    },
    done: (task: number) => forge.issues.close({ project, issue: task }),
    close: () => forge.close(),
  }
}
