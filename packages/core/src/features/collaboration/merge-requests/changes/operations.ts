import * as v from 'valibot'
import { afterTransaction } from '../../../../kernel/deferred.ts'
import { Id } from '../../../../kernel/inputs.ts'
import { query } from '../../../../kernel/operation.ts'
import { type Page, paginate, paginateArray, pagingEntries } from '../../../../kernel/paging.ts'
import {
  addFileHeader,
  formatFileHeader,
  type RepositoryCommit,
  type RepositoryDiff,
} from '../../../code/repository/repository.ts'
import { createRenderer } from '../../markdown/renderer.ts'
import type { MergeRequestDetails } from '../merge-request.ts'
import { mergeRequest } from '../subject.ts'
import { countDivergedCommits, readDetails, withHtml } from './details.ts'
import { readHead } from './head.ts'
import { versionsOf } from './queries.ts'
import { compareVersion, readContent, refresh, refreshVersion, requireFound } from './refresh.ts'
import { prepareHead } from './source-branch.ts'
import type { MergeRequestVersion, MergeRequestVersionDetails, MergeRequestWithChanges } from './version.ts'

const formatModes = ({ newFile, deletedFile, aMode, bMode }: RepositoryDiff): string[] => {
  if (newFile) return [`new file mode ${bMode}`]
  if (deletedFile) return [`deleted file mode ${aMode}`]
  return aMode === bMode ? [] : [`old mode ${aMode}`, `new mode ${bMode}`]
}

/** The changes of one file in the format of `git diff`, without the ids of blobs. */
const formatDiff = (file: RepositoryDiff): string => {
  const { oldPath, newPath, renamedFile, diff } = file
  const isPatch = diff.startsWith('@@')
  return [
    `diff --git a/${oldPath} b/${newPath}`,
    ...formatModes(file),
    ...(renamedFile ? [`rename from ${oldPath}`, `rename to ${newPath}`] : []),
    ...(isPatch ? formatFileHeader(file) : []),
    diff,
  ]
    .join('\n')
    .replace(/\n*$/, '\n')
}

/** The changes of files in the format of `git diff`. */
const formatRawDiffs = (diffs: readonly RepositoryDiff[]): string => diffs.map(formatDiff).join('')

const diffInput = {
  /** Whether each diff begins with the lines `---` and `+++`, as other programs expect. */
  unidiff: v.optional(v.boolean(), false),
}

/** The part of `mergeRequests` that is read from the repository of the project: commits, diffs and versions. */
export const mergeRequestChanges = {
  /** Gets a merge request of a project. Stores a new version and compares the branches if they have changed. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: {
      /** Whether to count the commits of the target branch that the source branch does not contain. */
      includeDivergedCommitsCount: v.optional(v.boolean(), false),
      /** Whether to return the title and the description as HTML, too. */
      renderHtml: v.optional(v.boolean(), false),
    },
    async run(ctx, { includeDivergedCommitsCount, renderHtml }, subject) {
      const head = await readHead(ctx, subject)
      const render = renderHtml ? await createRenderer(ctx, subject.project) : undefined
      if (head.opened === undefined && !render) return readDetails(ctx, subject)
      return afterTransaction(async (runner): Promise<MergeRequestDetails> => {
        if (head.opened !== undefined) await refresh(runner, head)
        const stored = await runner.read((later) => readDetails(later, subject))
        const details = render ? await withHtml(runner, stored, render) : stored
        if (!includeDivergedCommitsCount) return details
        const divergedCommitsCount = await countDivergedCommits(await prepareHead(runner, head))
        return { ...details, divergedCommitsCount }
      })
    },
  }),

  /** Lists commits of a merge request, newest first; empty if a branch is missing. */
  listCommits: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<RepositoryCommit>> => {
        const content = await readContent(runner, head)
        return paginateArray([...(content?.commits ?? [])].reverse(), paging)
      })
    },
  }),

  /** Lists diffs of a merge request, one per changed file; empty if a branch is missing. */
  listDiffs: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: { ...pagingEntries, ...diffInput },
    async run(ctx, { unidiff, ...paging }, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<RepositoryDiff>> => {
        const page = paginateArray((await readContent(runner, head))?.diffs ?? [], paging)
        return unidiff ? { ...page, items: page.items.map(addFileHeader) } : page
      })
    },
  }),

  /** Gets all diffs of a merge request as one text in the format of `git diff`; empty if a branch is missing. */
  getRawDiffs: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<string> => {
        return formatRawDiffs((await readContent(runner, head))?.diffs ?? [])
      })
    },
  }),

  /** Gets a merge request with all its diffs. */
  getChanges: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: diffInput,
    async run(ctx, { unidiff }, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<MergeRequestWithChanges> => {
        const content = await readContent(runner, head)
        const changes = content?.diffs ?? []
        return {
          ...(await runner.read((later) => readDetails(later, subject))),
          changes: unidiff ? changes.map(addFileHeader) : changes,
          overflow: content?.compareTimeout ?? false,
        }
      })
    },
  }),

  /** Lists stored versions of a merge request, newest first. Reading a merge request stores its current version. */
  listVersions: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<MergeRequestVersion>> => {
        await refreshVersion(runner, await prepareHead(runner, head))
        return runner.read((later) =>
          paginate(versionsOf(later, subject.mergeRequest.id), paging, (row): MergeRequestVersion => row),
        )
      })
    },
  }),

  /** Gets a version with its commits and diffs. Fails with `not_found` if the project has no repository. */
  getVersion: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: {
      /** Id of a version of this merge request, from `versions`. */
      version: Id,
      ...diffInput,
    },
    async run(ctx, { version: id, unidiff }, subject) {
      const { opened } = await readHead(ctx, subject)
      const version = await versionsOf(ctx, subject.mergeRequest.id)
        .where('mergeRequestVersion.id', '=', id)
        .executeTakeFirst()
      return afterTransaction(async (): Promise<MergeRequestVersionDetails> => {
        const { commits, diffs } = await compareVersion(requireFound(opened), requireFound(version))
        const files = unidiff ? diffs.map(addFileHeader) : diffs
        return { ...requireFound(version), commits: [...commits].reverse(), diffs: files }
      })
    },
  }),
}
