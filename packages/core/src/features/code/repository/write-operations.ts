import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { resolvePusher } from './branch-writer.ts'
import { assertImportableNames, type ImportProgress, openRepositoryAtPath, reportProgress } from './import-source.ts'
import { findTip } from './opened-repository.ts'
import type { PushRecord } from './push.ts'
import { emitPushes, readPushRecords } from './push-records.ts'
import { findStorageKey } from './queries.ts'
import type { RepositoryState } from './repository.ts'
import type { RepositoryWriter } from './repository-lock.ts'
import { refreshSummary } from './repository-summary.ts'
import { attachRepository, changeRepository, createRepositoryCopy, openForWriting } from './writable-repository.ts'

const ObjectId = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))

/** One line of the input of git's `post-receive` hook: full ref names; null instead of the zero id. */
const ReferenceMoveInput = v.strictObject({
  /** Full name of the branch or tag: `refs/heads/main`, `refs/tags/v1`. At most 1,024 characters. */
  ref: v.pipe(v.string(), v.maxLength(1_024), v.regex(/^refs\/(?:heads|tags)\/./)),
  /** Hexadecimal SHA before the push; null for a new branch or tag. */
  before: v.nullable(ObjectId),
  /** Hexadecimal SHA after the push; null for a deleted branch or tag. */
  after: v.nullable(ObjectId),
})

const ProgressCallback = v.custom<(progress: ImportProgress) => void>((value) => typeof value === 'function')

export const writeOperations = {
  /**
   * Creates an empty repository. Not required before `commits.import` and `commits.create`, which create one. Fails with `conflict` if there
   * is one.
   */
  create: command({
    on: project,
    can: 'repository.create',
    async run(ctx, _input, { project: { id, defaultBranch } }) {
      if ((await findStorageKey(ctx, id)) !== undefined) throw conflict('The project has a repository already')
      const { ports } = ctx
      return afterTransaction(async ({ write }): Promise<RepositoryState> => {
        await createRepositoryCopy({ ports, write }, id, (directory) => ports.git.create(directory, { defaultBranch }))
        return { exists: true, empty: true, defaultBranch, head: null }
      })
    },
  }),

  /**
   * Imports a repository from the file system of the host, bare or with a working directory. By default its branches
   * and tags are copied. With `inPlace` the repository itself is used, and is never deleted.
   */
  import: command({
    on: project,
    can: 'repository.import',
    input: {
      /** Directory of a repository in the file system of the host, at most 4,096 characters. */
      path: v.pipe(v.string(), v.maxLength(4_096)),
      /** Whether to use the repository itself instead of a copy. */
      inPlace: v.optional(v.boolean(), false),
      /** Called with the progress: first `copying` with the copied bytes, then `reading`, then `done`. Library only. */
      onProgress: v.optional(ProgressCallback),
    },
    async run(ctx, { path, inPlace, onProgress = () => undefined }, { project: { id } }) {
      if ((await findStorageKey(ctx, id)) !== undefined) throw conflict('The project has a repository already')
      const { ports } = ctx
      return afterTransaction(async ({ write }): Promise<RepositoryState> => {
        const source = await openRepositoryAtPath(ports.git, path)
        await assertImportableNames(source)
        const bytes = await source.size()
        const report = (copied: number) => onProgress({ step: 'copying', bytes, copied })
        report(0)
        const copyTo = (directory: string) =>
          reportProgress(directory, report, () => ports.git.clone(source.directory, directory))
        const repository = inPlace ? source : await createRepositoryCopy({ ports, write }, id, copyTo)
        if (inPlace) await write((ctx) => attachRepository(ctx, id, source.directory))
        onProgress({ step: 'reading', bytes, copied: bytes })
        const { branch, commit } = await repository.head()
        const preferred = { defaultBranch: commit === undefined ? undefined : branch }
        const { defaultBranch, empty } = await changeRepository({ ports, write }, id, async ({ write }) => {
          const summary = await refreshSummary(write, repository, id, preferred)
          // The copy of a detached HEAD. Without branches, it is the only reference to its commit.
          if (!inPlace && branch === undefined && (await repository.branch(summary.defaultBranch)) !== undefined)
            await repository.setHead(summary.defaultBranch)
          return summary
        })
        onProgress({ step: 'done', bytes, copied: bytes })
        return {
          exists: true,
          empty,
          defaultBranch,
          head: (await findTip({ repository, defaultBranch })) ?? null,
          directory: repository.directory,
        }
      })
    },
  }),

  /**
   * Records a push that git has already applied to the repository on disk, with the input of its `post-receive` hook.
   * Reads commit counts and titles from the repository, updates the project record and emits the push.
   */
  recordPush: command({
    on: project,
    can: 'code.push',
    input: {
      /** 1 to 10,000 changed branches and tags. */
      changes: v.pipe(v.array(ReferenceMoveInput), v.minLength(1), v.maxLength(10_000)),
      /** Id or username of the pushing user; for the host application only. Without it no activity is recorded. */
      pushedBy: v.optional(IdOrName),
    },
    async run(ctx, { changes, pushedBy }, { project: { id } }) {
      if (changes.some(({ before, after }) => before === null && after === null)) {
        throw invalid('before and after must not both be null')
      }
      const { ports } = ctx
      const pusher = await resolvePusher(ctx, pushedBy)
      const run = async (writer: RepositoryWriter): Promise<readonly PushRecord[]> => {
        const repository = await openForWriting(writer, id)
        if (repository === undefined) throw notFound('Repository')
        const pushes = await readPushRecords(repository, changes)
        await refreshSummary(writer.write, repository, id, {
          beforeCommit: (ctx) => emitPushes(ctx, id, pusher?.id ?? null, pushes),
        })
        return pushes
      }
      return afterTransaction(({ write }) => changeRepository({ ports, write }, id, run))
    },
  }),
}
