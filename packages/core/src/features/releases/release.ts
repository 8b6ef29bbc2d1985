import { invalid } from '../../kernel/errors.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'
import type { RepositoryCommit } from '../repository/repository.ts'

/** What a link leads to. */
export const linkTypes = ['other', 'runbook', 'image', 'package'] as const
/** What a link leads to. */
export type LinkType = (typeof linkTypes)[number]

/** Something that belongs to a release and lies elsewhere. */
export interface ReleaseLink {
  id: number
  name: string
  url: string
  linkType: LinkType
  /** Where a permanent address leads to it from: `/bin/tool`; null for a link that has none. */
  filepath: string | null
}

/** A release as it is stored. */
export interface ReleaseRecord {
  id: number
  projectId: number
  tag: string
  name: string
  description: string | null
  sha: string | null
  authorId: number | null
  releasedAt: string
  createdAt: string
}

/** A tag of a project's repository that was made public, with what belongs to it. */
export interface Release {
  id: number
  tagName: string
  name: string
  description: string | null
  createdAt: string
  releasedAt: string
  /** It is dated in the future. */
  upcomingRelease: boolean
  author: UserSummary | null
  /** Null once the commit is gone from the repository. */
  commit: RepositoryCommit | null
  milestones: readonly Milestone[]
  links: readonly ReleaseLink[]
  /** Full path of the project. */
  projectPath: string
  projectId: number
}

/** What is said of a new link, or of a changed one. */
export interface GivenLink {
  readonly name: string
  readonly url: string
  readonly linkType?: LinkType | undefined
  readonly filepath?: string | undefined
  readonly directAssetPath?: string | undefined
}

const isAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && ['http:', 'https:', 'ftp:'].includes(parsed.protocol)
}

/** The values of a new or changed link, looked at; every complaint at once. */
export const cleanLink = ({ name, url, filepath, directAssetPath }: Partial<GivenLink>): { filepath?: string } => {
  const path = directAssetPath ?? filepath
  const problems: Record<string, string[]> = {}
  if (name !== undefined && name.trim() === '') problems.name = ["can't be blank"]
  if (url !== undefined && !isAddress(url)) problems.url = ['is blocked: Only allowed schemes are http, https, ftp']
  if (path !== undefined && !/^\/[\w\-.]+(?:\/[\w\-.]+)*$/.test(path)) problems.filepath = ['is in an invalid format']
  if (Object.keys(problems).length) throw invalid(problems)
  return path === undefined ? {} : { filepath: path }
}
