import { isUtf8 } from 'node:buffer'
import { archiveSuffixes, features, type RawBlob, type RepositoryArchive } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import type { Reply } from '../reply/reply.ts'
import { one, page, type Responder } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import {
  BlobWire,
  BranchWire,
  CommitWire,
  ComparisonWire,
  ContributorWire,
  TagWire,
  TreeEntryWire,
} from '../shapes/repository.ts'

const { repository } = features

/** Browsers must not run scripts of repository files with the origin of this site. */
const sandboxHeaders = { 'Content-Security-Policy': "sandbox; default-src 'none'" } as const

/** Always plain text, so that browsers display it without interpreting it. Without a name, because only the id is known. */
export const rawBlob: Responder<RawBlob> = Object.assign(
  ({ sha, size, content }: RawBlob): Reply => ({
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': content instanceof Uint8Array && isUtf8(content) ? 'text/plain; charset=utf-8' : 'text/plain',
      'Content-Disposition': 'inline',
      ...(!(content instanceof Uint8Array) && { 'Content-Length': String(size) }),
      // The id is a hash of the content, which never changes.
      ETag: `"${sha}"`,
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ...sandboxHeaders,
    },
  }),
  { status: 200 },
)

const archive: Responder<RepositoryArchive> = Object.assign(
  ({ fileName, format, content }: RepositoryArchive): Reply => ({
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'Content-Disposition': formatAttachment(fileName, `archive.${format}`),
      'Content-Transfer-Encoding': 'binary',
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ...sandboxHeaders,
    },
  }),
  { status: 200 },
)

const base = '/projects/:id/repository'

const createArchiveRoute = (suffix: string, format: string, options: { readonly extension?: true } = {}) =>
  route(`GET ${base}/archive.${suffix}`, repository.archive, archive, { fixedInput: { format }, ...options })

/** Not in the specification; clients read branches and tags here. */
const extension = { extension: true } satisfies RouteOptions
/** Branch names can contain slashes, which some clients do not encode. */
const branchOptions = { ...extension, multiSegmentParams: ['branch'] } satisfies RouteOptions

export const repositoryRoutes = [
  route(`GET ${base}/tree`, repository.tree, page(TreeEntryWire)),
  route(`GET ${base}/blobs/:sha`, repository.blob, one(BlobWire)),
  route(`GET ${base}/blobs/:sha/raw`, repository.rawBlob, rawBlob),
  route(`GET ${base}/archive`, repository.archive, archive, { fixedInput: { format: 'tar.gz' } }),
  ...Object.keys(archiveSuffixes).map((suffix) => createArchiveRoute(suffix, suffix)),
  createArchiveRoute('tgz', 'tar.gz', extension),
  createArchiveRoute('gz', 'tar.gz', extension),
  route(`GET ${base}/compare`, repository.compare, one(ComparisonWire)),
  route(`GET ${base}/contributors`, repository.contributors, page(ContributorWire)),
  route(`GET ${base}/merge_base`, repository.mergeBase, one(CommitWire)),

  route(`GET ${base}/branches`, repository.branches, page(BranchWire), extension),
  route(`GET ${base}/branches/:branch`, repository.branch, one(BranchWire), branchOptions),
  route(`GET ${base}/tags`, repository.tags, page(TagWire), extension),
  route(`GET ${base}/commits/:sha`, repository.getCommit, one(CommitWire), extension),
]
