import { isUtf8 } from 'node:buffer'
import { archiveSuffixes, features, type RawBlob, type RepositoryArchive } from '@forgelet/core/operations'
import { attachment } from '../content-disposition.ts'
import type { Reply } from '../reply.ts'
import { route } from '../route.ts'
import { one, page, type Send } from '../send.ts'
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

/** Nothing in a file of a repository may run in the name of this site. */
const sandboxed = { 'Content-Security-Policy': "sandbox; default-src 'none'" } as const

/** Always plain text, whatever a file is: a browser shows it and does no more. It has no name, since only its id is known. */
export const raw: Send<RawBlob> = Object.assign(
  ({ sha, size, content }: RawBlob): Reply => ({
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': content instanceof Uint8Array && isUtf8(content) ? 'text/plain; charset=utf-8' : 'text/plain',
      'Content-Disposition': 'inline',
      ...(!(content instanceof Uint8Array) && { 'Content-Length': String(size) }),
      // Its name is its content: it never changes.
      ETag: `"${sha}"`,
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ...sandboxed,
    },
  }),
  { status: 200 },
)

const archive: Send<RepositoryArchive> = Object.assign(
  ({ fileName, format, content }: RepositoryArchive): Reply => ({
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'Content-Disposition': attachment(fileName, `archive.${format}`),
      'Content-Transfer-Encoding': 'binary',
      'Cache-Control': 'max-age=0, private, must-revalidate',
      ...sandboxed,
    },
  }),
  { status: 200 },
)

const base = '/projects/:id/repository'

const archiveAs = (suffix: string, format: string, options: { readonly extension?: true } = {}) =>
  route(`GET ${base}/archive.${suffix}`, repository.archive, archive, { given: { format }, ...options })

/** Not in the documents, but what clients know the branches and tags by. */
const extension = { extension: true } as const
/** Names of branches hold slashes, which some clients send as they are. */
const spanning = { ...extension, spans: ['branch'] } as const

export const repositoryRoutes = [
  route(`GET ${base}/tree`, repository.tree, page(TreeEntryWire)),
  route(`GET ${base}/blobs/:sha`, repository.blob, one(BlobWire)),
  route(`GET ${base}/blobs/:sha/raw`, repository.rawBlob, raw),
  route(`GET ${base}/archive`, repository.archive, archive, { given: { format: 'tar.gz' } }),
  ...Object.keys(archiveSuffixes).map((suffix) => archiveAs(suffix, suffix)),
  archiveAs('tgz', 'tar.gz', extension),
  archiveAs('gz', 'tar.gz', extension),
  route(`GET ${base}/compare`, repository.compare, one(ComparisonWire)),
  route(`GET ${base}/contributors`, repository.contributors, page(ContributorWire)),
  route(`GET ${base}/merge_base`, repository.mergeBase, one(CommitWire)),

  route(`GET ${base}/branches`, repository.branches, page(BranchWire), extension),
  route(`GET ${base}/branches/:branch`, repository.branch, one(BranchWire), spanning),
  route(`GET ${base}/tags`, repository.tags, page(TagWire), extension),
  route(`GET ${base}/commits/:sha`, repository.getCommit, one(CommitWire), extension),
]
