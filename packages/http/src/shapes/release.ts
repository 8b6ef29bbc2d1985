import type { Release, ReleaseLink } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, list, type Site, wire } from '../reply/wire.ts'
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

const createWebUrl = ({ projectPath, tagName }: Release, { url }: Site) =>
  `${url}/${projectPath}/-/releases/${encodeURIComponent(tagName)}`

const archiveFormats = ['zip', 'tar.gz', 'tar.bz2', 'tar']

const createSources = ({ projectId, tagName }: Release, { url }: Site) =>
  archiveFormats.map((format) => ({
    format,
    url: `${url}/api/v4/projects/${projectId}/repository/archive.${format}?sha=${encodeURIComponent(tagName)}`,
  }))

const Source = v.strictObject({ format: v.string(), url: v.string() })

const assetsField = computed(
  v.strictObject({ count: v.number(), sources: v.array(Source), links: v.array(v.looseObject({})) }),
  (release: Release, site: Site) => ({
    count: release.links.length + archiveFormats.length,
    sources: createSources(release, site),
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
  assets: assetsField,
  _links: computed(v.strictObject({ self: v.string(), edit_url: v.string() }), (release: Release, site: Site) => ({
    self: createWebUrl(release, site),
    edit_url: `${createWebUrl(release, site)}/edit`,
  })),
})
