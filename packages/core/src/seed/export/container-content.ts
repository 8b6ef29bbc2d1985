import { readAll } from '../pages.ts'
import { type SectionParent, toParentInput } from '../section-parent.ts'
import type { Seed } from '../seed.ts'
import { type Exporter, present, readShown, unless } from './exporter.ts'

type SeedGroup = NonNullable<Seed['groups']>[number]
type SeedProject = NonNullable<Seed['projects']>[number]

/** The fields of a push rule that differ from the defaults; null for a project that has none, although a group above has one. */
const readPushRule = async (host: Exporter['host'], parent: SectionParent): Promise<SeedGroup['pushRule'] | null> => {
  const read = (at: { project: number } | { group: number | string }) => unless(['not_found'], host.pushRules.get(at))
  const rule = await read(toParentInput(parent))
  if (rule) {
    const { id: _id, projectId: _projectId, createdAt: _createdAt, rejectUnsignedCommits: _unsigned, ...values } = rule
    return Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)))
  }
  if ('group' in parent) return undefined
  const segments = parent.path.split('/').slice(0, -1)
  for (const index of segments.keys()) if (await read({ group: segments.slice(0, index + 1).join('/') })) return null
  return undefined
}

/** The push rule of a project or a group. */
export async function exportPushRule({ host }: Exporter, parent: SectionParent): Promise<Pick<SeedGroup, 'pushRule'>> {
  const pushRule = await readPushRule(host, parent)
  return pushRule === undefined ? {} : { pushRule: pushRule as SeedGroup['pushRule'] }
}

/** The repository from which a project is updated, without credentials. */
export async function exportPullMirror(
  { host, omit }: Exporter,
  project: number,
): Promise<Pick<SeedProject, 'pullMirror'>> {
  const mirror = await unless(['invalid'], host.pullMirrors.get({ project }))
  if (!mirror || mirror.url === null) return {}
  const url = mirror.url.replace(/^([a-z]+:\/\/)[^/@]*@/, '$1')
  if (url !== mirror.url) omit('credentials in the URLs of mirrors')
  const { mirrorTriggerBuilds, onlyMirrorProtectedBranches, mirrorBranchRegex, mirrorOverwritesDivergedBranches } =
    mirror
  const options = {
    mirrorTriggerBuilds,
    onlyMirrorProtectedBranches,
    mirrorBranchRegex,
    mirrorOverwritesDivergedBranches,
  }
  return { pullMirror: { url, enabled: mirror.enabled, ...present(options) } }
}

/** The wiki pages, badges and issue boards of a project or a group. */
export async function exportContainerContent(
  { host, omit }: Exporter,
  parent: SectionParent,
): Promise<Pick<SeedGroup, 'wikiPages' | 'badges' | 'boards'>> {
  const at = toParentInput(parent)
  const kind = 'project' in parent ? 'project' : 'group'
  const pages = await readShown(host.wikis.list, { ...at, withContent: true })
  const listed = await readAll(host.badges.list, at)
  const boards = await readShown(host.boards.list, at)
  const isIncomplete = ({ lists, labels, milestone, assignee, weight, ...board }: (typeof boards)[number]) =>
    lists.some(({ label }) => !label) ||
    Boolean(labels.length || milestone || assignee || weight !== null || board.hideBacklogList || board.hideClosedList)
  if (boards.some(isIncomplete)) omit('scopes of issue boards, and their lists for milestones and assignees')
  return present({
    wikiPages: pages.map(({ title, content = '', format }) => ({ title, content, format })),
    badges: listed
      .filter((badge) => badge.kind === kind)
      .map(({ name, linkUrl, imageUrl }) => ({ linkUrl, imageUrl, ...present({ name }) })),
    boards: boards.map(({ name, lists }) => ({
      name,
      ...present({ labels: lists.flatMap(({ label }) => label?.name ?? []) }),
    })),
  })
}
