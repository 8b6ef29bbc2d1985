import { invalid } from '../../../kernel/errors.ts'
import type { UserSummary } from '../../accounts/users/user.ts'
import type { RepositoryCommit } from '../../code/repository/repository.ts'
import type { Milestone } from '../../planning/milestones/milestone.ts'

/** Kinds of linked assets. */
export const linkTypes = ['other', 'runbook', 'image', 'package'] as const

/** The kind of a release link. */
export type LinkType = (typeof linkTypes)[number]

/** A link from a release to an external asset. */
export interface ReleaseLink {
  /** Unique on the instance. */
  id: number
  /** Text of the link, unique within the release. */
  name: string
  /** Address of the asset: `http`, `https` or `ftp`, unique within the release. */
  url: string
  /** Kind of the asset: `runbook`, `image`, `package` or `other`. */
  linkType: LinkType
  /** Path of the permanent URL that redirects to the asset: `/bin/tool`; null for a link without one. */
  filepath: string | null
}

/** A record of the contents of a release at a time. */
export interface ReleaseEvidence {
  /** Unique on the instance. */
  id: number
  /** SHA-256 digest of the record in 64 hexadecimal digits. */
  sha: string
  /** When the record was made: ISO 8601, UTC, with milliseconds. */
  collectedAt: string
}

/** The content of a record of a release. */
export interface EvidenceContent {
  /** SHA-256 digest of `data` in 64 hexadecimal digits. */
  sha: string
  /** JSON text. */
  data: string
}

/** The address of a part of the newest release. */
export interface LatestReleaseLocation {
  /** Id of the project. */
  projectId: number
  /** Tag of the newest release. */
  tagName: string
  /** Path below the release, such as `downloads/bin/tool`. */
  suffixPath: string
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

/** A milestone of a release, with the numbers of its issues. */
export interface ReleaseMilestone extends Milestone {
  /** Numbers of issues of the milestone, also of those that the current user cannot read. */
  issueStats: {
    /** All issues. */
    total: number
    /** Closed issues. */
    closed: number
  }
}

/** A release of a tag, with its notes, milestones and links. */
export interface Release {
  /** Unique on the instance. */
  id: number
  /** Name of the git tag, unique among the releases of the project. */
  tagName: string
  /** Title; equal to the tag unless set. */
  name: string
  /** Release notes in Markdown; null without any. */
  description: string | null
  /** When the release was recorded: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the release is or will be available: ISO 8601, UTC, with milliseconds. */
  releasedAt: string
  /** Whether `releasedAt` is in the future. */
  upcomingRelease: boolean
  /** The user who created the release; null if the account was removed. */
  author: UserSummary | null
  /**
   * The commit that the tag pointed to when the release was created. Null when it no longer exists in the repository.
   */
  commit: RepositoryCommit | null
  /** Milestones of the project or of groups above it, by id. */
  milestones: readonly ReleaseMilestone[]
  /** Links to external assets, newest first. */
  links: readonly ReleaseLink[]
  /** Records of its contents, oldest first. */
  evidences: readonly ReleaseEvidence[]
  /** Full path of the project. */
  projectPath: string
  /** Id of the project. */
  projectId: number
  /** The release notes as HTML, on request. */
  descriptionHtml?: string
}

/** A release with the id of its commit, which is read outside transactions. */
export type ReleaseWithoutCommit = Release & { readonly sha: string | null }

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
