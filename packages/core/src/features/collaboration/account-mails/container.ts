import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'
import { getSiteUrl } from '../../administration/mail/compose-mail.ts'
import type { ContainerKey } from './request.ts'

/** A project or group as messages name it. */
interface NamedContainer {
  /** Such as `Acme / Web project`. */
  readonly title: string
  /** A line with the URL of a page; empty if the URL of the site is unknown. */
  link(label: string, page?: 'members'): string
}

/** Undefined after its removal. */
export async function nameContainer(
  ctx: Context,
  { projectId, groupId }: ContainerKey,
): Promise<NamedContainer | undefined> {
  const project = projectId === null ? undefined : await findProject(ctx, projectId)
  const found = project ?? (groupId === null ? undefined : await findGroup(ctx, groupId))
  if (!found) return undefined
  const [path, members] = project ? ['', 'project_members'] : ['groups/', 'group_members']
  const siteUrl = getSiteUrl(ctx)
  return {
    title: `${found.name} ${project ? 'project' : 'group'}`,
    link: (label, page) =>
      siteUrl === null
        ? ''
        : `${label}: ${siteUrl}/${path}${found.fullPath}${page === 'members' ? `/-/${members}` : ''}`,
  }
}
