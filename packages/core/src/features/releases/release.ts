import { invalid } from '../../kernel/errors.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Milestone } from '../milestones/milestone.ts'
import type { RepositoryCommit } from '../repository/repository.ts'

/** Kinds of linked assets. */
export const linkTypes = ['other', 'runbook', 'image', 'package'] as const

/** The kind of a release link. */
export type LinkType = (typeof linkTypes)[number]

/** A link from a release to an external asset. */
export interface ReleaseLink {
  id: number
  name: string
  url: string
  linkType: LinkType
  /** Path of the permanent URL that redirects to the asset: `/bin/tool`; null for a link without one. */
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

/** A release of a tag, with its notes, milestones and links. */
export interface Release {
  id: number
  tagName: string
  name: string
  description: string | null
  createdAt: string
  releasedAt: string
  /** `releasedAt` is in the future. */
  upcomingRelease: boolean
  author: UserSummary | null
  /** Null when the commit no longer exists in the repository. */
  commit: RepositoryCommit | null
  milestones: readonly Milestone[]
  links: readonly ReleaseLink[]
  /** Full path of the project. */
  projectPath: string
  projectId: number
}

export interface LinkInput {
  readonly name: string
  readonly url: string
  readonly linkType?: LinkType | undefined
  readonly filepath?: string | undefined
  readonly directAssetPath?: string | undefined
}

const isAllowedUrl = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && ['http:', 'https:', 'ftp:'].includes(parsed.protocol)
}

/**
 * Validates a link and returns its `filepath`, for which `directAssetPath` has precedence.
 *
 * @throws PlatformError `invalid` with all problems
 */
export const validateLink = ({ name, url, filepath, directAssetPath }: Partial<LinkInput>): { filepath?: string } => {
  const path = directAssetPath ?? filepath
  const problems: Record<string, string[]> = {}
  if (name !== undefined && name.trim() === '') problems.name = ["can't be blank"]
  if (url !== undefined && !isAllowedUrl(url)) problems.url = ['is blocked: Only allowed schemes are http, https, ftp']
  if (path !== undefined && !/^\/[\w\-.]+(?:\/[\w\-.]+)*$/.test(path)) problems.filepath = ['is in an invalid format']
  if (Object.keys(problems).length) throw invalid(problems)
  return path === undefined ? {} : { filepath: path }
}
