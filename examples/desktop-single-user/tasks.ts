import { createPlatform, isPlatformError, sqlite } from '@forgelet/core'

const project = 'me/tasks'

/**
 * Opens a task list. Tasks are issues of one project in one file.
 *
 * @param file created if it does not exist
 */
export async function openTasks(file: string) {
  // All calls run as this user.
  const forge = createPlatform(sqlite(file), { identity: { user: 'me' } })
  const isNew = await forge.projects.get({ project }).then(
    () => false,
    (error: unknown) => {
      // The user does not exist before the first start.
      if (isPlatformError(error) && error.code === 'unauthenticated') return true
      throw error
    },
  )
  if (isNew) {
    await forge.atomic(async (tx) => {
      await tx.as({ system: 'first start' }).users.create({ username: 'me', email: 'me@localhost.localdomain' })
      await tx.projects.create({ path: 'tasks', name: 'Tasks', visibility: 'private' })
    })
  }

  return {
    add: (title: string, labels: readonly string[]) => forge.issues.create({ project, title, labels: [...labels] }),
    /** Open tasks, oldest first. */
    async list(label?: string) {
      const titles: string[] = []
      for (let page = 1, more = true; more; page++) {
        const issues = await forge.issues.list({
          project,
          page,
          perPage: 100,
          state: 'opened',
          orderBy: 'created_at',
          sort: 'asc',
          ...(label !== undefined && { labels: [label] }),
        })
        titles.push(
          ...issues.items.map(({ iid, title, labels }) => [iid, title, ...labels.map((name) => `#${name}`)].join(' ')),
        )
        more = issues.hasNext
      }
      return titles
    },
    done: (task: number) => forge.issues.update({ project, issue: task, stateEvent: 'close' }),
    close: () => forge.close(),
  }
}
