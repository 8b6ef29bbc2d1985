import type { PageContext } from '../page-context.ts'
import { ifPermitted } from './permitted.ts'

/** The level of the visitor in the project or the group of the page; 0 elsewhere and without a membership. */
export const readLevel = async ({ session, viewer, place: { project, group, path } }: PageContext): Promise<number> => {
  if (viewer?.id === undefined) return 0
  const { members } = session
  const who = { user: viewer.id, inherited: true }
  const [projectPath, groupPath] = [project ?? path, group ?? path]
  const member =
    (projectPath !== undefined && (await ifPermitted(members.get({ project: projectPath, ...who })))) ||
    (groupPath !== undefined && (await ifPermitted(members.get({ group: groupPath, ...who }))))
  return member ? member.accessLevel : 0
}
