import { readableIssues, readableMergeRequests } from '../../../access/predicates.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Reference } from '../../../ports/markdown/reference.ts'
import { insertNote } from '../notes/mutations.ts'
import type { NoteKey } from '../notes/queries.ts'
import { formatSource, type ReferenceSource } from './source.ts'

/** An issue or merge request as a text names it. */
export type TargetReference = Pick<Reference, 'kind' | 'project' | 'value'>

/** Further references in one text leave no notes. */
export const maximumReferences = 100

interface Target extends NoteKey {
  readonly projectId: number
}

const findTarget = async (
  ctx: Context,
  ownPath: string,
  { kind, project = ownPath, value }: TargetReference,
): Promise<Target | undefined> => {
  const table = kind === 'issue' ? 'issue' : 'mergeRequest'
  const row =
    table === 'issue'
      ? await ctx.db
          .selectFrom('issue')
          .innerJoin('project', 'project.id', 'issue.projectId')
          .where('project.fullPath', '=', project)
          .where('issue.iid', '=', Number(value))
          .where(readableIssues(ctx))
          .select(['issue.id', 'issue.projectId'])
          .executeTakeFirst()
      : await ctx.db
          .selectFrom('mergeRequest')
          .innerJoin('project', 'project.id', 'mergeRequest.projectId')
          .where('project.fullPath', '=', project)
          .where('mergeRequest.iid', '=', Number(value))
          .where(readableMergeRequests(ctx))
          .select(['mergeRequest.id', 'mergeRequest.projectId'])
          .executeTakeFirst()
  return row && { column: `${table}Id`, id: row.id, projectId: row.projectId }
}

const hasNote = async ({ db }: Context, { column, id }: NoteKey, body: string): Promise<boolean> => {
  const notes = db.selectFrom('note').where(column, '=', id).where('system', '=', true).where('body', '=', body)
  return (await notes.select('id').executeTakeFirst()) !== undefined
}

/** Readers of another project see the source only if its project is public. */
const isShownIn = (project: Project, target: Target): boolean =>
  target.projectId === project.id || project.visibility === 'public'

/**
 * Stores the system notes of the issues and merge requests that the current user refers to and can read: `mentioned in issue #1`, once for each
 * source.
 */
export const insertCrossReferences = async (
  ctx: Context,
  source: ReferenceSource,
  references: readonly TargetReference[],
): Promise<void> => {
  const project = await findProject(ctx, source.projectId)
  if (project === undefined) return
  for (const reference of references.slice(0, maximumReferences)) {
    const isItself =
      (reference.project ?? project.fullPath) === project.fullPath &&
      reference.kind === (source.kind === 'mergeRequest' ? 'merge_request' : source.kind) &&
      reference.value === source.value
    const target = isItself ? undefined : await findTarget(ctx, project.fullPath, reference)
    if (target === undefined || !isShownIn(project, target)) continue
    const body = `mentioned in ${formatSource(source, project, target.projectId)}`
    const { column, id } = target
    if (!(await hasNote(ctx, { column, id }, body)))
      await insertNote(ctx, { column, id }, { authorId: getUserId(ctx.actor), body, system: true })
  }
}
