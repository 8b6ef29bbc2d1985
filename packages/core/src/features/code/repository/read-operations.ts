import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound, PlatformError } from '../../../kernel/errors.ts'
import { Id, Sort } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import {
  cursorInsteadOfPage,
  fetchPage,
  getPageWindow,
  keysetEntries,
  type Page,
  pagingEntries,
} from '../../../kernel/paging.ts'
import { getCallerKey } from '../../../kernel/rate-limit.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Contributor, TreeEntry } from '../../../ports/git.ts'
import { archiveName, archiveSuffixes } from './archive-name.ts'
import { formatCommitCursor, parseCommitCursor } from './commit-cursor.ts'
import { compareSides, loadOlderSide, openSides } from './compare.ts'
import { contributorOrders } from './contributor-order.ts'
import { ignoreUnavailable, readContributors } from './contributor-page.ts'
import { readEncodableBlob } from './encoded-blob.ts'
import { countLanguages, readCountedLanguages, storeLanguages } from './languages/counts.ts'
import type { RepositoryLanguage } from './languages/language.ts'
import { findTip, type OpenedRepository, openRepository, readCommit, resolveRevision } from './opened-repository.ts'
import { createRawLimit } from './raw-limit.ts'
import type {
  ContributorCoverage,
  RawBlob,
  RepositoryArchive,
  RepositoryBlob,
  RepositoryCommit,
  RepositoryState,
} from './repository.ts'
import { findTreeEntry } from './tree-entries.ts'

/** Limits in characters. */
const Path = v.pipe(v.string(), v.maxLength(8_192))
const Revision = v.pipe(v.string(), v.maxLength(1_024))
const Sha = v.pipe(v.string(), v.maxLength(1_024))

/** Archive requests per minute, user and project: specification 1, "Limits". */
const archivesPerMinute = 5

/** Files up to this size are buffered, larger ones are streamed. */
const maxBufferedBytes = 1024 ** 2

const missingRefsError = (references: readonly string[]) =>
  invalid(`Could not find ${references.length === 1 ? 'ref' : 'refs'}: ${references.join(', ')}`)

const readRawBlob = async ({ repository, abortable }: OpenedRepository, sha: string): Promise<RawBlob | undefined> => {
  try {
    const blob = await repository.blob(sha, { maximumBytes: maxBufferedBytes })
    return blob && { sha: blob.id, size: blob.size, content: blob.content }
  } catch (error) {
    if (!(error instanceof PlatformError) || error.reason !== 'too_large') throw error
  }
  const stream = await repository.blobStream(sha, abortable)
  return stream && { sha: stream.id, size: stream.size, content: stream.content }
}

/** Entries of a directory that is read without pages. */
const unpagedLimit = 10_000

export const readOperations = {
  /** Gets the state of the repository. `directory` is included for administrators only. */
  get: query({
    on: project,
    can: 'code.read',
    async run(ctx, _input, subject) {
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      const showsDirectory = hasAbility(ctx.actor, subject, 'repository.import')
      return afterTransaction(async (): Promise<RepositoryState> => {
        const head = opened && (await findTip(opened))
        return {
          exists: opened !== undefined,
          empty: head === undefined,
          defaultBranch,
          head: head ?? null,
          ...(showsDirectory && opened && { directory: opened.repository.directory }),
        }
      })
    },
  }),

  /**
   * Lists the tree entries below a path at a branch, tag or commit: directories, files, submodules; none for an unknown path.
   *
   * @throws PlatformError `not_found` for an unknown `ref` and for a repository without commits
   */
  listTree: query({
    on: project,
    can: 'code.read',
    input: {
      ...keysetEntries,
      /**
       * `offset` and `legacy` (default): pages by number. `keyset`: pages that continue after a `cursor`. `none`: all entries at once, at
       * most 10,000.
       */
      pagination: v.optional(v.picklist(['offset', 'legacy', 'keyset', 'none'])),
      /** Directory to list, from the root of the repository. Default: the root. */
      path: v.optional(Path),
      /** A branch, tag or commit SHA. Default: the default branch. */
      ref: v.optional(Revision),
      /** Whether to list the contents of all directories below, too. */
      recursive: v.optional(v.boolean(), false),
    },
    rules: [cursorInsteadOfPage],
    async run(ctx, { path = '', ref, recursive, cursor, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      const position = cursor === undefined ? undefined : parseCommitCursor(cursor)
      return afterTransaction(async (): Promise<Page<TreeEntry>> => {
        const commit = await resolveRevision(opened, position?.commit ?? ref)
        if (opened === undefined || commit === undefined) throw notFound('Tree')
        const read = async (range: { readonly offset: number; readonly limit: number }) => {
          const tree = await opened.repository.tree({ commit, path, recursive, ...range, ...opened.abortable })
          if (tree === undefined) throw notFound('Tree')
          return tree
        }
        if (paging.pagination === 'none') {
          const { entries } = await read({ offset: 0, limit: unpagedLimit })
          return { items: entries, page: 1, perPage: unpagedLimit, total: entries.length, hasNext: false }
        }
        if (paging.pagination === 'keyset') {
          const { page, perPage, limit } = getPageWindow(paging)
          const offset = position?.offset ?? 0
          const { entries, total } = await read({ offset, limit })
          const end = offset + entries.length
          const nextCursor = entries.length > 0 && end < total ? formatCommitCursor({ commit, offset: end }) : undefined
          const hasNext = nextCursor !== undefined
          return { items: entries, page, perPage, total: undefined, hasNext, ...(hasNext && { nextCursor }) }
        }
        let total = 0
        return fetchPage(paging, {
          find: async (range) => {
            const tree = await read(range)
            total = tree.total
            return tree.entries
          },
          count: (limit) => Math.min(total, limit),
        })
      })
    },
  }),

  /** Gets a file by blob id, with Base64 content. Fails with `unprocessable` if it is too large; use `getRawBlob` then. */
  getBlob: query({
    on: project,
    can: 'code.read',
    input: {
      /** Id of the blob: 40 hexadecimal digits, from a tree entry. */
      sha: Sha,
    },
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RepositoryBlob> => {
        const blob = await readEncodableBlob(ctx, opened?.repository, sha)
        if (blob === undefined) throw notFound('Blob')
        const { buffer, byteOffset, byteLength } = blob.content
        const content = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
        return { sha: blob.id, size: blob.size, encoding: 'base64', content }
      })
    },
  }),

  /** Gets the raw bytes of a file of any size, by blob id. Rate-limited over HTTP by the setting `rawBlobRequestLimit`. */
  getRawBlob: query({
    on: project,
    can: 'code.read',
    input: {
      /** Id of the blob: 40 hexadecimal digits, from a tree entry. */
      sha: Sha,
    },
    limit: createRawLimit(({ sha }: { readonly sha: string }) => `blob:${sha}`),
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RawBlob> => {
        const blob = opened && (await readRawBlob(opened, sha))
        if (blob === undefined) throw notFound('Blob')
        return blob
      })
    },
  }),

  /**
   * Gets an archive of the files of a commit, by default of the default branch. At most 5 requests per minute, user and project
   * over HTTP.
   */
  getArchive: query({
    on: project,
    can: 'code.read',
    input: {
      /** A branch, tag or commit SHA. Default: the default branch. */
      sha: v.optional(Revision),
      /** File format: `tar.gz`, `tar.bz2` (also `tbz`, `tbz2`, `tb2`, `bz2`), `tar` or `zip`. */
      format: v.optional(v.picklist(Object.keys(archiveSuffixes)), 'tar.gz'),
      /** Only the file or directory at this path, from the root of the repository. Default: the whole tree. */
      path: v.optional(Path),
    },
    limit: {
      name: 'archive',
      getLimit: () => archivesPerMinute,
      getKey: (ctx, _input, { project }) => `${getCallerKey(ctx)} project:${project.id}`,
      message: 'This archive has been requested too many times. Try again later.',
    },
    async run(ctx, { sha, format: suffix, path }, subject) {
      const { path: projectPath, defaultBranch } = subject.project
      const only = path?.replace(/^\/+|\/+$/g, '') || undefined
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RepositoryArchive> => {
        const commit = await resolveRevision(opened, sha)
        if (opened === undefined || commit === undefined) throw notFound('File')
        const { repository, abortable } = opened
        if (only !== undefined && !(await findTreeEntry(repository, commit, only, abortable))) throw notFound('File')
        const prefix = archiveName(projectPath, sha || defaultBranch, commit, only)
        const format = archiveSuffixes[suffix] ?? 'tar.gz'
        const content = await repository.archive({ commit, format, prefix, path: only, ...abortable })
        return { fileName: `${prefix}.${format}`, format, content }
      })
    },
  }),

  /**
   * Compares two revisions: the commits in `to` that are not in `from`, and the differences since their merge base.
   * With `straight` the two commits are compared directly.
   */
  compare: query({
    on: project,
    can: 'code.read',
    input: {
      /** The older side: a branch, tag or commit SHA. */
      from: Revision,
      /** The newer side: a branch, tag or commit SHA. */
      to: Revision,
      /** Whether to compare the two commits directly instead of `to` with the merge base. */
      straight: v.optional(v.boolean(), false),
      /** Project of `from`: one of the same fork network, whose code the current user can read. Default: this project. */
      fromProjectId: v.optional(Id),
      /** Whether the text of each difference starts with the lines `---` and `+++`. Default: false. */
      unidiff: v.optional(v.boolean(), false),
    },
    async run(ctx, { fromProjectId, ...revisions }, subject) {
      const { ports } = ctx
      const sides = await openSides(ctx, await loadOlderSide(ctx, subject, fromProjectId), subject)
      return afterTransaction((runner) => compareSides(runner, ports, sides, revisions))
    },
  }),

  /**
   * Lists the authors of all commits of the default branch or of `ref` without merges, with their line counts. A history of more than
   * 2,000 commits is counted by a background job; until it has ended, the list covers the newest commits only, at least 2,000, and
   * `countedCommits` is their number.
   *
   * @throws PlatformError `not_found` for an unknown `ref` and for a repository without commits
   */
  listContributors: query({
    on: project,
    can: 'code.read',
    input: {
      ...pagingEntries,
      /** The value by which the list is sorted, ignoring case; equal values by name, then by e-mail address. */
      orderBy: v.optional(v.picklist(contributorOrders), 'commits'),
      /** `asc` sorts ascending, `desc` descending. */
      sort: v.optional(Sort, 'asc'),
      /** A branch, tag or commit SHA. Default: the default branch. */
      ref: v.optional(Revision),
    },
    async run(ctx, { ref, ...list }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<Contributor> & ContributorCoverage> => {
        const commitId = await resolveRevision(opened, ref)
        if (opened === undefined || commitId === undefined) throw notFound('')
        return readContributors(runner, opened, { projectId: subject.project.id, commitId }, list)
      })
    },
  }),

  /**
   * Gets the programming languages of the default branch with their percentages, largest first; none without code. Names and sizes
   * of files count, and `.gitattributes`, with the data of Linguist.
   */
  getLanguages: query({
    on: project,
    can: 'code.read',
    async run(ctx, _input, subject) {
      const { id } = subject.project
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ read, write }): Promise<RepositoryLanguage[]> => {
        const commit = opened && (await findTip(opened))
        if (opened === undefined || commit === undefined) return []
        const counted = await read((handle) => readCountedLanguages(handle, id, commit))
        if (counted) return counted
        const languages = await countLanguages(opened.repository, commit, opened.abortable)
        await write((handle) => storeLanguages(handle, id, commit, languages)).catch(ignoreUnavailable)
        return languages
      })
    },
  }),

  /** Gets the best common ancestor of 2 to 100 branches, tags or commits. */
  getMergeBase: query({
    on: project,
    can: 'code.read',
    input: {
      /** Branches, tags or commit SHAs. */
      refs: v.pipe(v.array(Revision), v.maxLength(100)),
    },
    async run(ctx, { refs }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RepositoryCommit> => {
        if (refs.length < 2) throw invalid('Provide at least 2 refs')
        const resolved = await Promise.all(
          refs.map(async (text) => ({ text, commit: text === '' ? undefined : await resolveRevision(opened, text) })),
        )
        const unknown = resolved.filter(({ commit }) => commit === undefined)
        if (opened === undefined || unknown.length) throw missingRefsError(unknown.map(({ text }) => text))
        const commits = resolved.flatMap(({ commit }) => commit ?? [])
        const base = await opened.repository.mergeBase(commits, opened.abortable)
        if (base === undefined) throw notFound('Merge Base')
        return readCommit(opened, base)
      })
    },
  }),
}
