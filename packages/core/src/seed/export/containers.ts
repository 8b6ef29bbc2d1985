import { readAll } from '../pages.ts'
import { type SectionParent, toParentInput } from '../section-parent.ts'
import type { Seed } from '../seed.ts'
import { readShares } from '../shared-sections.ts'
import { type Exporter, numbered, present, readShown } from './exporter.ts'

type SeedGroup = NonNullable<Seed['groups']>[number]
type SharedSections = Pick<
  SeedGroup,
  'members' | 'shares' | 'accessRequests' | 'invitations' | 'customAttributes' | 'labels' | 'milestones'
>

type AccessNumber = 10 | 20 | 30 | 40 | 50

/**
 * The sections that groups and projects have in common.
 *
 * @param implicitOwner the username of a member who is one without the seed: the owner of a personal project
 * @param isShareable whether the seed can refer to a group: it precedes this one
 */
export async function exportSharedSections(
  { host, omit }: Exporter,
  parent: SectionParent,
  implicitOwner: string | undefined,
  isShareable: (groupPath: string) => boolean,
): Promise<SharedSections> {
  const at = toParentInput(parent)
  const members = await readAll(host.members.list, at)
  const requests = await readAll(host.accessRequests.list, at)
  const invitations = await readAll(host.invitations.list, at)
  const attributes = await readAll(host.customAttributes.list, at)
  const listed = await readAll(host.labels.list, { ...at, includeAncestorGroups: false })
  // Projects list the labels of their groups as well.
  const labels = listed.filter(({ isProjectLabel }) => isProjectLabel === 'project' in parent)
  const inherited = listed.filter((label) => !labels.includes(label))
  if (inherited.some(({ priority }) => priority !== null)) omit('priorities of group labels in projects')
  const milestones = await readShown(host.milestones.list, at)
  const shares = await readShares(host, parent)
  const lost = shares.filter(({ groupFullPath }) => !isShareable(groupFullPath))
  if (lost.length) omit('shares between groups that are shared with each other')
  return present({
    members: members
      .filter(({ username }) => username !== implicitOwner)
      .map(({ username, accessLevel, expiresAt, override }) => ({
        user: username,
        access: accessLevel as AccessNumber,
        ...present({ expiresAt, synced: override !== undefined }),
      })),
    shares: shares
      .filter((share) => !lost.includes(share))
      .map(({ groupFullPath, groupAccessLevel, expiresAt }) => ({
        group: groupFullPath,
        access: groupAccessLevel as AccessNumber,
        ...present({ expiresAt }),
      })),
    accessRequests: requests.map(({ username }) => username),
    invitations: invitations.map(({ inviteEmail, accessLevel, expiresAt }) => ({
      email: inviteEmail,
      access: accessLevel as AccessNumber,
      ...present({ expiresAt }),
    })),
    customAttributes: attributes.map(({ key, value }) => ({ key, value })),
    labels: labels.map(({ name, color, description, priority }) => ({
      name,
      color,
      ...present({ description }),
      ...(priority !== null && { priority }),
    })),
    milestones: numbered(milestones).map(({ item: { title, description, state, startDate, dueDate }, number }) => ({
      title,
      ...number,
      ...present({ description, startDate, dueDate }),
      ...(state === 'closed' && { state }),
    })),
  })
}
