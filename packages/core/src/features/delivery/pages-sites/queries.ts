import type { Context } from '../../../kernel/context.ts'

/** The prefix of the sites of a project in the file storage. */
export const pagesPrefix = (projectId: number): string => `pages/${projectId}/`

/** The published site of a project. */
export const findDeployment = ({ db }: Context, projectId: number) =>
  db
    .selectFrom('pagesDeployment')
    .where('projectId', '=', projectId)
    .select(['id', 'storageKey', 'rootDirectory', 'redirects', 'createdAt'])
    .executeTakeFirst()

/** Removes the published site of a project, if it has one. The file is removed after the commit. */
export const removeDeployment = async (ctx: Context, projectId: number): Promise<void> => {
  const removed = await ctx.db
    .deleteFrom('pagesDeployment')
    .where('projectId', '=', projectId)
    .returning('storageKey')
    .execute()
  for (const { storageKey } of removed) await ctx.enqueue('uploads.removeFile', { storageKey })
}
