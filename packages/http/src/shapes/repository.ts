import type {
  Branch,
  Contributor,
  RepositoryBlob,
  RepositoryCommit,
  RepositoryComparison,
  RepositoryDiff,
  Tag,
  TagRelease,
  TreeEntry,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, Url } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'

/** Specification 2, "Repository tree entry". */
export const TreeEntryWire = wire<TreeEntry>('TreeEntry')({
  id: v.string(),
  name: v.string(),
  type: v.picklist(['tree', 'blob', 'commit']),
  path: v.string(),
  mode: v.string(),
})

export const BlobWire = wire<RepositoryBlob>('RepositoryBlob')({
  size: Integer,
  encoding: v.literal('base64'),
  content: v.string(),
  sha: v.string(),
})

/** Specification 2, "Commit". */
export const CommitWire = wire<RepositoryCommit>('Commit')({
  id: v.string(),
  short_id: v.string(),
  created_at: DateTime,
  parent_ids: v.array(v.string()),
  title: v.string(),
  message: v.string(),
  author_name: v.string(),
  author_email: v.string(),
  authored_date: DateTime,
  committer_name: v.string(),
  committer_email: v.string(),
  committed_date: DateTime,
  trailers: v.record(v.string(), v.string()),
  extended_trailers: v.record(v.string(), v.array(v.string())),
  /** URL of the commit's page. */
  web_url: computed(
    Url,
    ({ id, projectPath }: RepositoryCommit, { url }: Site) => `${url}/${projectPath}/-/commit/${id}`,
  ),
})

export const DiffWire = wire<RepositoryDiff>('FileDiff')({
  old_path: v.string(),
  new_path: v.string(),
  a_mode: v.string(),
  b_mode: v.string(),
  diff: v.string(),
  new_file: v.boolean(),
  renamed_file: v.boolean(),
  deleted_file: v.boolean(),
  collapsed: v.boolean(),
  too_large: v.boolean(),
})

export const ComparisonWire = wire<RepositoryComparison>('Comparison')({
  commit: nullable(CommitWire),
  commits: list(CommitWire),
  diffs: list(DiffWire),
  compare_timeout: v.boolean(),
  compare_same_ref: v.boolean(),
  /** URL of the page with the comparison. */
  web_url: computed(
    Url,
    ({ projectPath, fromSha, toSha }: RepositoryComparison, { url }: Site) =>
      `${url}/${projectPath}/-/compare/${fromSha}...${toSha}`,
  ),
})

export const ContributorWire = wire<Contributor>('Contributor')({
  name: v.string(),
  email: v.string(),
  commits: Integer,
  additions: Integer,
  deletions: Integer,
})

/** Encodes each segment of a name that can contain slashes. */
const encodeSegments = (name: string) => name.split('/').map(encodeURIComponent).join('/')

export const BranchWire = wire<Branch>('Branch')({
  name: v.string(),
  merged: v.boolean(),
  protected: v.boolean(),
  default: v.boolean(),
  developers_can_push: v.boolean(),
  developers_can_merge: v.boolean(),
  can_push: v.boolean(),
  /** URL of the files of the branch. */
  web_url: computed(
    Url,
    ({ name, projectPath }: Branch, { url }: Site) => `${url}/${projectPath}/-/tree/${encodeSegments(name)}`,
  ),
  commit: CommitWire,
})

const TagReleaseWire = wire<TagRelease>('TagRelease')({ tag_name: v.string(), description: v.nullable(v.string()) })

export const TagWire = wire<Tag>('Tag')({
  name: v.string(),
  message: v.string(),
  target: v.string(),
  commit: CommitWire,
  release: nullable(TagReleaseWire),
  protected: v.boolean(),
  created_at: NullableDateTime,
})
