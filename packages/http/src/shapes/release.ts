import type { Release, ReleaseLink } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, list, type Site, wire } from '../wire.ts'
import { MilestoneWire } from './milestone.ts'
import { CommitWire } from './repository.ts'
import { UserSummaryWire } from './user.ts'

export const ReleaseLinkWire = wire<ReleaseLink>()({
  id: v.number(),
  name: v.string(),
  url: v.string(),
  direct_asset_url: computed(v.string(), ({ url }: ReleaseLink) => url),
  link_type: v.string(),
})

const pageOf = ({ projectPath, tagName }: Release, { url }: Site) =>
  `${url}/${projectPath}/-/releases/${encodeURIComponent(tagName)}`

const archives = ['zip', 'tar.gz', 'tar.bz2', 'tar']

const sources = ({ projectId, tagName }: Release, { url }: Site) =>
  archives.map((format) => ({
    format,
    url: `${url}/api/v4/projects/${projectId}/repository/archive.${format}?sha=${encodeURIComponent(tagName)}`,
  }))

const Source = v.strictObject({ format: v.string(), url: v.string() })

const assets = computed(
  v.strictObject({ count: v.number(), sources: v.array(Source), links: v.array(v.looseObject({})) }),
  (release: Release, site: Site) => ({
    count: release.links.length + archives.length,
    sources: sources(release, site),
    links: release.links.map((link) => ({ ...ReleaseLinkWire(link, site) })),
  }),
)

export const ReleaseWire = wire<Release>()({
  tag_name: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  created_at: v.string(),
  released_at: v.string(),
  upcoming_release: v.boolean(),
  author: UserSummaryWire,
  commit: CommitWire,
  milestones: list(MilestoneWire),
  commit_path: computed(v.nullable(v.string()), ({ commit, projectPath }: Release) =>
    commit === null ? null : `/${projectPath}/-/commit/${commit.id}`,
  ),
  tag_path: computed(v.string(), ({ projectPath, tagName }: Release) => `/${projectPath}/-/tags/${tagName}`),
  assets,
  _links: computed(v.strictObject({ self: v.string(), edit_url: v.string() }), (release: Release, site: Site) => ({
    self: pageOf(release, site),
    edit_url: `${pageOf(release, site)}/edit`,
  })),
})
