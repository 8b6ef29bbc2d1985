import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { notFound } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { outside } from '../../kernel/outside.ts'
import { type OpenedRepository, openRepository, revision } from '../repository/opened-repository.ts'
import type { RawBlob } from '../repository/repository.ts'
import type { RepositoryFile } from './file.ts'

const input = {
  filePath: v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192)),
  /** A branch, a tag or a commit; the default branch when left out. */
  ref: v.optional(v.pipe(v.string(), v.maxLength(1_024)), 'HEAD'),
}

/** The entry of a file and the commit it was looked for in. */
const found = async (opened: OpenedRepository | undefined, filePath: string, ref: string) => {
  const commit = await revision(opened, ref)
  if (opened === undefined || commit === undefined) throw notFound('Commit')
  const at = filePath.lastIndexOf('/')
  const path = at < 0 ? '' : filePath.slice(0, at)
  const page = await opened.repository.tree({ commit, path, ...opened.abortable })
  const entry = page?.entries.find((one) => one.path === filePath && one.type === 'blob')
  if (entry === undefined) throw notFound('File')
  return { entry, commit, repository: opened.repository, abortable: opened.abortable }
}

/** Files of a repository by their path. */
export const repositoryFiles = {
  /** A file with what it holds, in Base64. */
  get: query({
    on: project,
    can: 'code.read',
    input,
    async run(ctx, { filePath, ref }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RepositoryFile> => {
        const { entry, commit, repository } = await found(opened, filePath, ref)
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

  /** The bytes of a file, of any size. */
  raw: query({
    on: project,
    can: 'code.read',
    input,
    async run(ctx, { filePath, ref }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RawBlob> => {
        const { entry, repository, abortable } = await found(opened, filePath, ref)
        const stream = await repository.blobStream(entry.id, abortable)
        if (stream === undefined) throw notFound('File')
        return { sha: stream.id, size: stream.size, content: stream.content }
      })
    },
  }),
}
