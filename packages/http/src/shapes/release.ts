import type { Release, ReleaseEvidence, ReleaseLink, ReleaseMilestone } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'
import { MilestoneWire } from './milestone.ts'
import { CommitWire } from './repository.ts'
import { UserSummaryWire } from './user.ts'

export const ReleaseLinkWire = wire<ReleaseLink>('ReleaseLink')({
  id: Integer,
  name: v.string(),
  url: v.string(),
  /** URL of the asset; the same as `url`. */
  direct_asset_url: computed(Url, ({ url }: ReleaseLink) => url),
  link_type: v.string(),
  /** Whether the asset is on another site. */
  external: computed(v.boolean(), ({ url }: ReleaseLink, site: Site) => !`${url}/`.startsWith(`${site.url}/`)),
})

/** A record of the contents of a release. */
export const ReleaseEvidenceWire = wire<ReleaseEvidence>('ReleaseEvidence')({
  id: Integer,
  sha: v.string(),
  collected_at: DateTime,
})

const EvidenceReference = v.strictObject({
  /** SHA-256 digest of the record in hexadecimal digits. */
  sha: v.string(),
  /** URL of the record. */
  filepath: Url,
  /** When the record was made. */
  collected_at: DateTime,
})

const createEvidenceReferences = ({ projectId, tagName, evidences }: Release, { url }: Site) =>
  evidences.map(({ id, sha, collectedAt }) => ({
    sha,
    filepath: `${url}/api/v4/projects/${projectId}/releases/${encodeURIComponent(tagName)}/evidences/${id}`,
    collected_at: collectedAt,
  }))

const createWebUrl = ({ projectPath, tagName }: Release, { url }: Site) =>
  `${url}/${projectPath}/-/releases/${encodeURIComponent(tagName)}`

const archiveFormats = ['zip', 'tar.gz', 'tar.bz2', 'tar']

const createSources = ({ projectId, tagName }: Release, { url }: Site) =>
  archiveFormats.map((format) => ({
    format,
    url: `${url}/api/v4/projects/${projectId}/repository/archive.${format}?sha=${encodeURIComponent(tagName)}`,
  }))

const Source = v.strictObject({
  /** Format of the archive: `zip`, `tar.gz`, `tar.bz2` or `tar`. */
  format: v.string(),
  /** URL of the archive. */
  url: Url,
})

const AssetsWire = wire<Release>('ReleaseAssets')({
  /** Number of links and archives. */
  count: computed(Integer, ({ links }: Release) => links.length + archiveFormats.length),
  /** Archives of the repository at the tag. */
  sources: computed(v.array(Source), createSources),
  links: list(ReleaseLinkWire),
})

/** Numbers of issues of a milestone. */
const IssueStats = v.strictObject({
  /** All issues. */
  total: Integer,
  /** Closed issues. */
  closed: Integer,
  /** Open issues. */
  opened: Integer,
})

const ReleaseMilestoneWire = wire<ReleaseMilestone>('ReleaseMilestone')({
  ...MilestoneWire.fields,
  /** Numbers of issues of the milestone, also of those that the current user cannot read. */
  issue_stats: computed(IssueStats, ({ issueStats: { total, closed } }: ReleaseMilestone) => ({
    total,
    closed,
    opened: total - closed,
  })),
})

/** The page with the issues or merge requests of a release in a state. */
const createListUrl = (
  { projectPath, tagName }: Release,
  { url }: Site,
  kind: 'issues' | 'merge_requests',
  state: 'opened' | 'closed' | 'merged',
) => `${url}/${projectPath}/-/${kind}?release_tag=${encodeURIComponent(tagName)}&scope=all&state=${state}`

export const ReleaseWire = wire<Release>('Release')({
  tag_name: v.string(),
  name: v.string(),
  description: NullableText,
  description_html: v.optional(v.string()),
  created_at: DateTime,
  released_at: DateTime,
  upcoming_release: v.boolean(),
  author: nullable(UserSummaryWire),
  commit: nullable(CommitWire),
  milestones: list(ReleaseMilestoneWire),
  /** Path of the page of the tagged commit; null if the tag does not exist. */
  commit_path: computed(NullableText, ({ commit, projectPath }: Release) =>
    commit === null ? null : `/${projectPath}/-/commit/${commit.id}`,
  ),
  /** Path of the page of the tag. */
  tag_path: computed(v.string(), ({ projectPath, tagName }: Release) => `/${projectPath}/-/tags/${tagName}`),
  /** Links and archives of the release. */
  assets: computed(AssetsWire, (release: Release) => release),
  /** Records of the contents of the release. */
  evidences: computed(v.array(EvidenceReference), createEvidenceReferences),
  /** URLs of pages. */
  _links: computed(
    v.strictObject({
      /** URL of the release's page. */
      self: Url,
      /** URL of the page that edits the release. */
      edit_url: Url,
      /** URL of the page of the closed issues. */
      closed_issues_url: Url,
      /** URL of the page of the closed merge requests. */
      closed_merge_requests_url: Url,
      /** URL of the page of the merged merge requests. */
      merged_merge_requests_url: Url,
      /** URL of the page of the open issues. */
      opened_issues_url: Url,
      /** URL of the page of the open merge requests. */
      opened_merge_requests_url: Url,
    }),
    (release: Release, site: Site) => ({
      self: createWebUrl(release, site),
      edit_url: `${createWebUrl(release, site)}/edit`,
      closed_issues_url: createListUrl(release, site, 'issues', 'closed'),
      closed_merge_requests_url: createListUrl(release, site, 'merge_requests', 'closed'),
      merged_merge_requests_url: createListUrl(release, site, 'merge_requests', 'merged'),
      opened_issues_url: createListUrl(release, site, 'issues', 'opened'),
      opened_merge_requests_url: createListUrl(release, site, 'merge_requests', 'opened'),
    }),
  ),
})
