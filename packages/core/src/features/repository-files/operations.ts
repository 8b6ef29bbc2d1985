import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { type OpenedRepository, openRepository, resolveRevision } from '../repository/opened-repository.ts'
import type { RawBlob } from '../repository/repository.ts'
import type { RepositoryFile } from './file.ts'

const input = {
  /** Path from the root of the repository, case-sensitive: `src/index.ts`. */
  filePath: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192)),
  /** A branch, tag or commit SHA; the default branch if omitted. */
  ref: v.optional(v.pipe(v.string(), v.maxLength(1_024)), 'HEAD'),
}

/** Finds the tree entry of a file and resolves the commit. */
const findFile = async (opened: OpenedRepository | undefined, filePath: string, ref: string) => {
  const commit = await resolveRevision(opened, ref)
  if (opened === undefined || commit === undefined) throw notFound('Commit')
  const slash = filePath.lastIndexOf('/')
  const path = slash < 0 ? '' : filePath.slice(0, slash)
  const page = await opened.repository.tree({ commit, path, ...opened.abortable })
  const entry = page?.entries.find((candidate) => candidate.path === filePath && candidate.type === 'blob')
  if (entry === undefined) throw notFound('File')
  return { entry, commit, repository: opened.repository, abortable: opened.abortable }
}

/** Files of a repository by path. */
export const repositoryFiles = {
  /** A file with its Base64 content and its commit. Fails with `not_found` for a missing file, ref or repository. */
  get: query({
    on: project,
    can: 'code.read',
    input,
    async run(ctx, { filePath, ref }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async (): Promise<RepositoryFile> => {
        const { entry, commit, repository } = await findFile(opened, filePath, ref)
        const blob = await repository.blob(entry.id)
        if (blob === undefined) throw notFound('File')
        return {
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

  /** The raw bytes of a file of any size. Fails with `not_found` for a missing file, ref or repository. */
  raw: query({
    on: project,
    can: 'code.read',
    input,
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
}
