import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { readEncodableBlob } from '../repository/encoded-blob.ts'
import { type OpenedRepository, openRepository, readCommit, resolveRevision } from '../repository/opened-repository.ts'
import { createRawLimit } from '../repository/raw-limit.ts'
import type { RawBlob, RepositoryCommit } from '../repository/repository.ts'
import { findTreeEntry } from '../repository/tree-entries.ts'
import type { BlameSection, RepositoryFile, WrittenFile } from './file.ts'
import { contentInput, fileInput, lastCommitInput, writeFile } from './write-file.ts'

const input = {
  /** Path from the root of the repository, case-sensitive: `src/index.ts`. */
  filePath: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192)),
  /** A branch, tag or commit SHA; the default branch if omitted. */
  ref: v.optional(v.pipe(v.string(), v.maxLength(1_024)), 'HEAD'),
}

const newest = { offset: 0, limit: 1 } as const

/** Finds the tree entry of a file and resolves the commit. */
const findFile = async (opened: OpenedRepository | undefined, filePath: string, ref: string) => {
  const commit = await resolveRevision(opened, ref)
  if (opened === undefined || commit === undefined) throw notFound('Commit')
  const entry = await findTreeEntry(opened.repository, commit, filePath, opened.abortable)
  if (entry?.type !== 'blob') throw notFound('File')
  return { entry, commit, repository: opened.repository, abortable: opened.abortable }
}

/** Files of a repository by path. */
export const repositoryFiles = {
  /** Gets a file with its Base64 content and its commit. Fails with `not_found` for a missing file, ref or repository. */
  get: query({
    on: project,
    can: 'code.read',
    input,
    async run(ctx, { filePath, ref }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RepositoryFile> => {
        const { entry, commit, repository } = await findFile(opened, filePath, ref)
        const blob = await readEncodableBlob(ctx, repository, entry.id)
        if (blob === undefined) throw notFound('File')
        const [lastCommitId = commit] = await repository.listCommits({ tips: [commit], path: filePath, ...newest })
        return {
          lastCommitId,
          fileName: entry.name,
          filePath: entry.path,
          size: blob.size,
          encoding: 'base64',
          content: Buffer.from(blob.content).toString('base64'),
          contentSha256: createHash('sha256').update(blob.content).digest('hex'),
          ref,
          blobId: blob.id,
          commitId: commit,
          executeFilemode: entry.mode === '100755',
        }
      })
    },
  }),

  /**
   * Gets the raw bytes of a file of any size. Fails with `not_found` for a missing file, ref or repository. Rate-limited over HTTP by the
   * setting `rawBlobRequestLimit`.
   */
  getRaw: query({
    on: project,
    can: 'code.read',
    input,
    limit: createRawLimit(({ filePath }: { readonly filePath: string }) => `file:${filePath}`),
    async run(ctx, { filePath, ref }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RawBlob> => {
        const { entry, repository, abortable } = await findFile(opened, filePath, ref)
        const stream = await repository.blobStream(entry.id, abortable)
        if (stream === undefined) throw notFound('File')
        return { sha: stream.id, size: stream.size, content: stream.content }
      })
    },
  }),

  /**
   * Lists the lines of a file with the commits that last changed them. Fails with `not_found` for a missing file, ref or
   * repository.
   */
  getBlame: query({
    on: project,
    can: 'code.read',
    input: {
      ...input,
      /** Only lines in this range. Both ends are required. */
      range: v.optional(
        v.object({
          /** Number of the first line, from 1. */
          start: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
          /** Number of the last line. */
          end: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
        }),
      ),
    },
    async run(ctx, { filePath, ref, range }, subject) {
      if (range && range.end < range.start) throw invalid('range[end] must not be less than range[start]')
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<readonly BlameSection[]> => {
        const { commit, repository, abortable } = await findFile(opened, filePath, ref)
        const lines = range && ([range.start, range.end] as const)
        const ranges = await repository.blame({ commit, path: filePath, ...(lines && { lines }), ...abortable })
        const commits = new Map<string, RepositoryCommit>()
        for (const id of new Set(ranges.map((section) => section.commit))) {
          commits.set(id, await readCommit(defined(opened), id))
        }
        return ranges.map((section) => ({
          commit: defined(commits.get(section.commit)),
          lines: [...section.lines],
        }))
      })
    },
  }),

  /**
   * Creates a file in a new commit.
   *
   * @throws PlatformError `invalid` if it exists, or the branch does not
   */
  create: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: { ...fileInput, ...contentInput },
    run: (ctx, input, { project }): Promise<Deferred<WrittenFile>> => writeFile(ctx, project, 'create', input),
  }),

  /**
   * Changes the content of a file in a new commit.
   *
   * @throws PlatformError `invalid` if the file or the branch does not exist, or the file has changed since `lastCommitId`
   */
  update: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: { ...fileInput, ...contentInput, ...lastCommitInput },
    run: (ctx, input, { project }): Promise<Deferred<WrittenFile>> => writeFile(ctx, project, 'update', input),
  }),

  /**
   * Deletes a file in a new commit.
   *
   * @throws PlatformError `invalid` if the file or the branch does not exist, or the file has changed since `lastCommitId`
   */
  remove: command({
    on: project,
    can: 'code.push',
    serializes: 'project',
    input: { ...fileInput, ...lastCommitInput },
    run: (ctx, input, { project }): Promise<Deferred<WrittenFile>> => writeFile(ctx, project, 'delete', input),
  }),
}
