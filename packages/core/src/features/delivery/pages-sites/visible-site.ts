import { Access } from '../../../access/levels.ts'
import { project } from '../../../access/subjects.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'

/** Who may see the site of a project: `public` everybody, `private` members, `enabled` those who see the project. */
export const readSiteAccess = async (
  ctx: Context,
  { id, visibility }: { readonly id: number; readonly visibility: string },
): Promise<{ readonly isVisible: boolean; readonly isPublic: boolean }> => {
  const { pagesAccessLevel: level } = await readProjectSettings(ctx, id)
  if (level === 'disabled' || !ctx.ports.pages.enabled) return { isVisible: false, isPublic: false }
  const isPublic = level === 'public' || (level === 'enabled' && visibility === 'public')
  if (isPublic || ctx.actor.kind === 'system') return { isVisible: true, isPublic }
  const subject = await loadIfVisible(ctx, project, { project: id })
  const isMember = subject !== undefined && (subject.access >= Access.guest || isAdministrator(ctx.actor))
  return { isVisible: level === 'private' ? isMember : subject !== undefined, isPublic }
}
