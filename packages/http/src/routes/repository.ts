import { isUtf8 } from 'node:buffer'
import { archiveSuffixes, features, type RawBlob, type RepositoryArchive } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { file, one, page } from '../reply/responders.ts'
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
export const rawBlob = file(
  ['text/plain'],
  ({ sha, size, content }: RawBlob) => ({
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
  [304],
)

const archive = (mediaType: string) =>
  file([mediaType], ({ fileName, format, content }: RepositoryArchive) => ({
    bytes: content,
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': formatAttachment(fileName, `archive.${format}`),
      'Content-Transfer-Encoding': 'binary',
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ...sandboxHeaders,
    },
  }))

const base = '/projects/:id/repository'

/** The git port rejects what exceeds its limits. */
const repositoryOptions = { errors: [422] } satisfies RouteOptions

const createArchiveRoute = (suffix: string, format: string, options: RouteOptions = repositoryOptions) =>
  route(
    `GET ${base}/archive${suffix}`,
    repository.archive,
    archive(format === 'zip' ? 'application/zip' : 'application/octet-stream'),
    { ...options, fixedInput: { format } },
  )

/** Not in the specification; clients read branches and tags here. */
const extension = { ...repositoryOptions, extension: true } satisfies RouteOptions
/** Branch names can contain slashes, which some clients do not encode. */
const branchOptions = { ...extension, multiSegmentParams: ['branch'] } satisfies RouteOptions

export const repositoryRoutes = [
  route(`GET ${base}/tree`, repository.tree, page(TreeEntryWire, false), {
    ...repositoryOptions,
    names: { page_token: 'cursor' },
  }),
  route(`GET ${base}/blobs/:sha`, repository.blob, one(BlobWire), repositoryOptions),
  route(`GET ${base}/blobs/:sha/raw`, repository.rawBlob, rawBlob, repositoryOptions),
  createArchiveRoute('', 'tar.gz'),
  ...Object.keys(archiveSuffixes).map((suffix) => createArchiveRoute(`.${suffix}`, suffix)),
  createArchiveRoute('.tgz', 'tar.gz', extension),
  createArchiveRoute('.gz', 'tar.gz', extension),
  route(`GET ${base}/compare`, repository.compare, one(ComparisonWire), repositoryOptions),
  route(`GET ${base}/contributors`, repository.contributors, page(ContributorWire, false), repositoryOptions),
  route(`GET ${base}/merge_base`, repository.mergeBase, one(CommitWire), repositoryOptions),

  route(`GET ${base}/branches`, repository.branches, page(BranchWire, false), extension),
  route(`GET ${base}/branches/:branch`, repository.branch, one(BranchWire), branchOptions),
  route(`GET ${base}/tags`, repository.tags, page(TagWire, false), extension),
  route(`GET ${base}/commits/:sha`, repository.getCommit, one(CommitWire), extension),
]
