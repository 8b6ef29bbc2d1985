import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { findJob } from '../../code/pipeline-records/queries.ts'
import { artifactInput, artifactRules, findArtifactJob } from './artifact-job.ts'
import { type ArtifactTreeEntry, buildArtifactTree } from './artifact-tree.ts'
import { type JobArtifactContent, withArtifactEntries } from './artifacts.ts'
import { jobInput } from './job-input.ts'

const Path = v.pipe(v.string(), v.maxLength(4_096))

/** @throws PlatformError `invalid` for a path that leads out of the archive */
const assertRelative = (path: string) => {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) throw invalid('Invalid path')
}

const readEntry = (ctx: Context, jobId: number, path: string): Promise<Deferred<JobArtifactContent>> => {
  assertRelative(path)
  return withArtifactEntries(ctx, jobId, async (entries) => {
    for await (const { path: name, size, open } of entries)
      if (name === path) return { fileName: defined(path.split('/').at(-1)), size, content: await open() }
    throw notFound('')
  })
}

/** The part of `pipelineJobs` for the files in artifacts. */
export const artifactFiles = {
  /**
   * Gets a file in the artifacts of a job.
   *
   * @throws PlatformError `unprocessable` if the archive or the file cannot be read, or the file has more than 1 GiB
   */
  getArtifactFile: query({
    on: project,
    can: 'pipeline.read',
    input: {
      ...artifactInput,
      /** Path of the file in the archive, such as `coverage/index.html`. */
      artifactPath: Path,
    },
    rules: artifactRules,
    run: async (ctx, { artifactPath, ...job }, { project }) =>
      readEntry(ctx, await findArtifactJob(ctx, project.id, job), artifactPath),
  }),

  /**
   * Lists the files and directories in the artifacts of a job, by path. Entries with paths out of the archive are left out.
   *
   * @throws PlatformError `unprocessable` for an archive that cannot be read, or has more than 100,000 files
   */
  listArtifactFiles: query({
    on: project,
    can: 'pipeline.read',
    input: {
      ...jobInput,
      ...pagingEntries,
      /** Path of a directory in the archive. Default: the root. */
      path: v.optional(Path, ''),
      /** Whether to include the content of directories. Default: false. */
      recursive: v.optional(v.boolean(), false),
    },
    async run(ctx, { job, path, recursive, ...paging }, { project }) {
      const { id } = await findJob(ctx, project.id, job)
      const directory = path.replace(/\/$/, '')
      if (directory !== '') assertRelative(directory)
      return withArtifactEntries(ctx, id, async (entries): Promise<Page<ArtifactTreeEntry>> => {
        const tree = await buildArtifactTree(entries, { path: directory, recursive })
        if (tree === undefined) throw notFound('')
        return paginateArray(tree, paging)
      })
    },
  }),

  /**
   * Removes the artifacts of all jobs of a project, except those of the newest successful pipeline of each branch and tag. A job
   * removes them after the call.
   */
  removeProjectArtifacts: command({
    on: project,
    can: 'pipeline.removeFiles',
    serializes: 'project',
    run: (ctx, _input, { project }) =>
      ctx.enqueue('pipelineJobs.removeArtifacts', { projectId: project.id, until: ctx.now }),
  }),
}
