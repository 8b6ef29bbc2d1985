import { isUtf8 } from 'node:buffer'
import type { Page } from '@forgelet/core'
import {
  archiveSuffixes,
  type CommitDetails,
  type Contributor,
  type ContributorCoverage,
  type DryRun,
  features,
  type RawBlob,
  type RepositoryArchive,
  type RepositoryFile,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { formatAttachment } from '../reply/content-disposition.ts'
import type { Reply } from '../reply/reply.ts'
import { accepted, all, empty, file, one, page, type Responder } from '../reply/responders.ts'
import { type Site, variants } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { CommitDetailsWire, CommitReferenceWire, CommitSequenceWire, DryRunWire } from '../shapes/commit.ts'
import {
  BlobWire,
  BranchWire,
  CommitWire,
  ComparisonWire,
  ContributorWire,
  DiffWire,
  TagWire,
  TreeEntryWire,
} from '../shapes/repository.ts'
import { BlameSectionWire, RepositoryFileWire, WrittenFileWire } from '../shapes/repository-file.ts'
import { verifiedSignature } from '../shapes/signature.ts'

const { repository, branches, tags, commits, repositoryFiles } = features

/** Browsers must not run scripts of repository files with the origin of this site. */
const sandboxHeaders = { 'Content-Security-Policy': "sandbox; default-src 'none'" } as const

/** Always plain text, so that browsers display it without interpreting it. Without a name, because only the id is known. */
const rawBlob = file(
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
  file(
    [mediaType],
    ({ fileName, format, content }: RepositoryArchive) => ({
      bytes: content,
      headers: {
        'Content-Type': mediaType,
        'Content-Disposition': formatAttachment(fileName, `archive.${format}`),
        'Content-Transfer-Encoding': 'binary',
        'Cache-Control': 'max-age=0, private, must-revalidate',
        ...sandboxHeaders,
      },
    }),
    [],
    false,
  )

const base = '/projects/:id/repository'

/** The git port rejects what exceeds its limits. */
const repositoryOptions = { errors: [422] } satisfies RouteOptions

const createArchiveRoute = (suffix: string, format: string, options: RouteOptions = repositoryOptions) =>
  route(
    `GET ${base}/archive${suffix}`,
    repository.getArchive,
    archive(format === 'zip' ? 'application/zip' : 'application/octet-stream'),
    { ...options, fixedInput: { format } },
  )

/** Not in the specification; clients read branches and tags here. */
const extension = { ...repositoryOptions, extension: true } satisfies RouteOptions
/** Branch names can contain slashes, which some clients do not encode. */
const branchOptions = { ...extension, multiSegmentParams: ['branch'] } satisfies RouteOptions

const tagOptions = { ...extension, multiSegmentParams: ['tag_name'] } satisfies RouteOptions
const filePath = '/projects/:id/repository/files/:file_path'

/** The fields of a file without its content, for clients that send HEAD. */
const createFileHeaders = (file: RepositoryFile): Record<string, string> => ({
  'X-Gitlab-Blob-Id': file.blobId,
  'X-Gitlab-Commit-Id': file.commitId,
  'X-Gitlab-Content-Sha256': file.contentSha256,
  'X-Gitlab-Encoding': file.encoding,
  'X-Gitlab-Execute-Filemode': String(file.executeFilemode),
  'X-Gitlab-File-Name': encodeURIComponent(file.fileName),
  'X-Gitlab-File-Path': encodeURI(file.filePath),
  'X-Gitlab-Last-Commit-Id': file.lastCommitId,
  'X-Gitlab-Ref': encodeURI(file.ref),
  'X-Gitlab-Size': String(file.size),
})

const fileWithHeaders: Responder<RepositoryFile> = Object.assign(
  (file: RepositoryFile, site: Site): Reply => ({
    status: 200,
    body: RepositoryFileWire(file, site),
    headers: createFileHeaders(file),
  }),
  { status: 200, shape: RepositoryFileWire },
)

const countedCommitsHeader = 'Forgelet-Counted-Commits'
const pageOfContributors = page(ContributorWire, false)

const contributorPage: Responder<Page<Contributor> & ContributorCoverage> = Object.assign(
  ({ countedCommits, ...out }: Page<Contributor> & ContributorCoverage, site: Site): Reply => ({
    ...pageOfContributors(out, site),
    ...(countedCommits !== undefined && { headers: { [countedCommitsHeader]: String(countedCommits) } }),
  }),
  pageOfContributors,
  {
    headers: {
      [countedCommitsHeader]:
        'The number of the newest commits that the list covers; present only while a job counts the others',
    },
  },
)

const commitOrDryRunShape = variants([CommitDetailsWire, DryRunWire], (out: CommitDetails | DryRun, site) =>
  'dryRun' in out ? DryRunWire(out, site) : CommitDetailsWire(out, site),
)

const commitOrDryRun: Responder<CommitDetails | DryRun> = Object.assign(
  (out: CommitDetails | DryRun, site: Site): Reply => ({ status: 200, body: commitOrDryRunShape.map(out, site) }),
  { status: 200, shape: commitOrDryRunShape },
)

export const repositoryRoutes = [
  route(`GET ${base}/tree`, repository.listTree, page(TreeEntryWire, false), {
    ...repositoryOptions,
    names: { page_token: 'cursor' },
  }),
  route(`GET ${base}/blobs/:sha`, repository.getBlob, one(BlobWire), repositoryOptions),
  route(`GET ${base}/blobs/:sha/raw`, repository.getRawBlob, rawBlob, repositoryOptions),
  createArchiveRoute('', 'tar.gz'),
  ...Object.keys(archiveSuffixes).map((suffix) => createArchiveRoute(`.${suffix}`, suffix)),
  createArchiveRoute('.tgz', 'tar.gz', extension),
  createArchiveRoute('.gz', 'tar.gz', extension),
  route(`GET ${base}/compare`, repository.compare, one(ComparisonWire), repositoryOptions),
  route(`GET ${base}/contributors`, repository.listContributors, contributorPage, repositoryOptions),
  route(`GET ${base}/merge_base`, repository.getMergeBase, one(CommitWire), repositoryOptions),

  route(`GET ${base}/branches`, branches.list, page(BranchWire, false), {
    ...extension,
    names: { page_token: 'cursor' },
  }),
  route(`GET ${base}/branches/:branch`, branches.get, one(BranchWire), branchOptions),
  route(`GET ${base}/tags`, tags.list, page(TagWire, false), { ...extension, names: { page_token: 'cursor' } }),

  route(`POST ${base}/branches`, branches.create, one(BranchWire), extension),
  route(`DELETE ${base}/branches/:branch`, branches.remove, empty(), branchOptions),
  route(`PUT ${base}/branches/:branch/protect`, branches.protect, one(BranchWire), branchOptions),
  route(`PUT ${base}/branches/:branch/unprotect`, branches.unprotect, one(BranchWire), branchOptions),
  route(`DELETE ${base}/merged_branches`, branches.removeMerged, accepted(), extension),
  route(`POST ${base}/tags`, tags.create, one(TagWire), {
    ...extension,
    required: ['ref'],
    hidden: ['pushedBy'],
  }),
  route(`GET ${base}/tags/:tag_name`, tags.get, one(TagWire), tagOptions),
  route(`GET ${base}/tags/:tag_name/signature`, tags.getSignature, verifiedSignature, tagOptions),
  route(`DELETE ${base}/tags/:tag_name`, tags.remove, empty(), tagOptions),

  route(`GET ${base}/commits`, commits.list, page(CommitDetailsWire, false), {
    ...extension,
    names: { page_token: 'cursor' },
  }),
  route(`POST ${base}/commits`, commits.create, one(CommitDetailsWire), extension),
  route(`GET ${base}/commits/:sha`, commits.get, one(CommitDetailsWire), extension),
  route(`GET ${base}/commits/:sha/signature`, commits.getSignature, verifiedSignature, extension),
  route(`GET ${base}/commits/:sha/diff`, commits.listDiffs, page(DiffWire, false), extension),
  route(`GET ${base}/commits/:sha/sequence`, commits.getSequence, one(CommitSequenceWire), extension),
  route(`GET ${base}/commits/:sha/refs`, commits.listReferences, page(CommitReferenceWire, false), extension),
  route(`POST ${base}/commits/:sha/cherry_pick`, commits.cherryPick, commitOrDryRun, extension),
  route(`POST ${base}/commits/:sha/revert`, commits.revert, commitOrDryRun, extension),

  route(`PUT ${base}/submodules/:submodule`, commits.updateSubmodule, one(CommitDetailsWire), extension),

  route(`GET ${filePath}`, repositoryFiles.get, fileWithHeaders, extension),
  route(`GET ${filePath}/raw`, repositoryFiles.getRaw, rawBlob, {
    ...extension,
    wireParameters: {
      lfs: v.optional(v.pipe(v.boolean(), v.description('Without effect: the platform stores no LFS files.'))),
    },
  }),
  route(`GET ${filePath}/blame`, repositoryFiles.getBlame, all(BlameSectionWire), extension),
  route(`POST ${filePath}`, repositoryFiles.create, one(WrittenFileWire), extension),
  route(`PUT ${filePath}`, repositoryFiles.update, one(WrittenFileWire), extension),
  route(`DELETE ${filePath}`, repositoryFiles.remove, empty(), extension),
]
