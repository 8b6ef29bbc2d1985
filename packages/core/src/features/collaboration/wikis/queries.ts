import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'

export type WikiSubject = Subjects['wiki'] | Subjects['groupWiki']

/** The columns that identify a wiki. */
export const wikiKey = (subject: WikiSubject) =>
  subject.kind === 'wiki'
    ? { projectId: subject.project.id, groupId: null }
    : { projectId: null, groupId: subject.group.id }

/** The pages of a wiki. */
export const selectPages = (ctx: Context, subject: WikiSubject) => {
  const { projectId, groupId } = wikiKey(subject)
  const rows = ctx.db.selectFrom('wikiPage')
  return projectId === null ? rows.where('groupId', '=', groupId) : rows.where('projectId', '=', projectId)
}

/** @throws PlatformError `not_found` if the wiki has no such page */
export const getPage = async (ctx: Context, subject: WikiSubject, slug: string) => {
  const row = await selectPages(ctx, subject)
    .where('slug', '=', slug)
    .select(['id', 'slug', 'title', 'format', 'content'])
    .executeTakeFirst()
  if (!row) throw notFound('Wiki Page')
  return row
}

/** @throws PlatformError `invalid` if another page has the slug */
export const assertSlugIsFree = async (ctx: Context, subject: WikiSubject, slug: string): Promise<void> => {
  const other = await selectPages(ctx, subject).where('slug', '=', slug).select('id').executeTakeFirst()
  if (other) throw invalid({ title: ['is the title of another page'] })
}
