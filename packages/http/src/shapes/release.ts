import type { Release, ReleaseLink } from '@forgelet/core/operations'
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
  direct_asset_url: computed(Url, ({ url }: ReleaseLink) => url),
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

const AssetsWire = wire<Release>('ReleaseAssets')({
  count: computed(Integer, ({ links }: Release) => links.length + archiveFormats.length),
  sources: computed(v.array(Source), createSources),
  links: list(ReleaseLinkWire),
})

export const ReleaseWire = wire<Release>('Release')({
  tag_name: v.string(),
  name: v.string(),
  description: NullableText,
  created_at: DateTime,
  released_at: DateTime,
  upcoming_release: v.boolean(),
  author: nullable(UserSummaryWire),
  commit: nullable(CommitWire),
  milestones: list(MilestoneWire),
  commit_path: computed(NullableText, ({ commit, projectPath }: Release) =>
    commit === null ? null : `/${projectPath}/-/commit/${commit.id}`,
  ),
  tag_path: computed(v.string(), ({ projectPath, tagName }: Release) => `/${projectPath}/-/tags/${tagName}`),
  assets: computed(AssetsWire, (release: Release) => release),
  _links: computed(v.strictObject({ self: v.string(), edit_url: v.string() }), (release: Release, site: Site) => ({
    self: createWebUrl(release, site),
    edit_url: `${createWebUrl(release, site)}/edit`,
  })),
})
