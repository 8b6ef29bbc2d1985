import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, forbidden, invalid, invalidInput, notFound } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command } from '../../kernel/operation.ts'
import { outside } from '../../kernel/outside.ts'
import type { NewCommit, Signature } from '../../ports/git.ts'
import { findUser } from '../accounts/queries.ts'
import type { PushRecord } from '../events/event.ts'
import { repositoryAtPath, watched } from './importing.ts'
import { type GivenCommit, type GivenSignature, NewCommitInput, Progress, ReferenceMoveInput } from './inputs.ts'
import { keepState } from './kept-state.ts'
import { placeOf } from './queries.ts'
import type { RepositoryState } from './repository.ts'
import { pushRecord, pushRecordOf, statePushes } from './stated-pushes.ts'
import { attach, existingForWriting, newRepository, repositoryForWriting } from './writable-repository.ts'

interface Pusher {
  readonly id: number
  readonly name: string
  readonly email: string
}

/** Whoever calls, or whom a host names; null for a host that names nobody. */
const pusherOf = async (ctx: Context, named: number | string | undefined): Promise<Pusher | null> => {
  if (ctx.actor.kind === 'user' && named !== undefined) {
    throw forbidden('Only the host application pushes in the name of others')
  }
  const ref = ctx.actor.kind === 'user' ? ctx.actor.id : named
  if (ref === undefined) return null
  const { id, name } = await findUser(ctx, ref)
  const row = await ctx.db.selectFrom('user').where('id', '=', id).select('email').executeTakeFirstOrThrow()
  return { id, name, email: row.email }
}

const signed = (given: GivenSignature, now: string): Signature => ({ ...given, date: given.date ?? now })

const planned = (given: GivenCommit, defaultBranch: string, pusher: Pusher | null, now: string): NewCommit => {
  const { branch = defaultBranch, message, author = pusher, committer, parents, files } = given
  if (author === null) throw invalidInput([{ fields: ['commits[author]'], message: 'is missing' }])
  const { name, email } = author
  const date = 'date' in author ? author.date : undefined
  return {
    branch,
    message,
    author: signed({ name, email, date }, now),
    ...(committer && { committer: signed(committer, now) }),
    ...(parents && { parents }),
    files: files as NewCommit['files'],
  }
}

export const writeOperations = {
  /** An empty repository for a project that has none. Not needed before a commit, which does the same. */
  create: command({
    on: project,
    can: 'repository.create',
    async run(ctx, _input, { project: { id, defaultBranch } }) {
      if ((await placeOf(ctx, id)) !== undefined) throw conflict('The project has a repository already')
      const { ports } = ctx
      return outside(async ({ write }): Promise<RepositoryState> => {
        await newRepository({ ports, write }, id, (directory) => ports.git.create(directory, { defaultBranch }))
        return { exists: true, empty: true, defaultBranch, head: null }
      })
    },
  }),

  /**
   * Takes over a repository on the host's own disk, bare or with a working directory. A copy with its branches and tags is
   * made; with `inPlace` the repository itself is used where it is, and is never removed.
   */
  import: command({
    on: project,
    can: 'repository.import',
    input: {
      path: v.pipe(v.string(), v.maxLength(4_096)),
      inPlace: v.optional(v.boolean(), false),
      /** Told how far it is. */
      onProgress: v.optional(Progress),
    },
    async run(ctx, { path, inPlace, onProgress = () => undefined }, { project: { id } }) {
      if ((await placeOf(ctx, id)) !== undefined) throw conflict('The project has a repository already')
      const { ports } = ctx
      return outside(async ({ write }): Promise<RepositoryState> => {
        const source = await repositoryAtPath(ports.git, path)
        const bytes = await source.size()
        const tell = (copied: number) => onProgress({ step: 'copying', bytes, copied })
        tell(0)
        const copyTo = (place: string) => watched(place, tell, () => ports.git.clone(source.directory, place))
        const repository = inPlace ? source : await newRepository({ ports, write }, id, copyTo)
        if (inPlace) await write((later) => attach(later, id, source.directory))
        onProgress({ step: 'reading', bytes, copied: bytes })
        const { branch, commit } = await repository.head()
        await keepState(write, repository, id, { defaultBranch: commit === undefined ? undefined : branch })
        onProgress({ step: 'done', bytes, copied: bytes })
        const head = await repository.head()
        return {
          exists: true,
          empty: head.commit === undefined,
          defaultBranch: head.branch ?? '',
          head: head.commit ?? null,
          directory: repository.directory,
        }
      })
    },
  }),

  /**
   * Writes commits described as data, in the order given, and moves their branches: all together or not at all. A project
   * without a repository gets one.
   *
   * @throws PlatformError `conflict` when a branch moved meanwhile or would lose commits
   */
  commit: command({
    on: project,
    can: 'code.push',
    input: {
      commits: v.pipe(v.array(NewCommitInput), v.minLength(1), v.maxLength(10_000)),
      /** Only for the host application: who pushed. Without it the push is nobody's activity. */
      pushedBy: v.optional(Reference),
    },
    async run(ctx, { commits, pushedBy }, { project: { id, defaultBranch } }) {
      const { ports, now } = ctx
      const pusher = await pusherOf(ctx, pushedBy)
      const list = commits.map((given) => planned(given, defaultBranch, pusher, now))
      return outside(async ({ write }): Promise<{ ids: readonly string[]; pushes: readonly PushRecord[] }> => {
        const repository = await repositoryForWriting({ ports, write }, { id, defaultBranch })
        const names = [...new Set(list.map(({ branch }) => branch))]
        const before = await Promise.all(names.map(async (name) => (await repository.branch(name)) ?? null))
        const ids = await repository.write(list)
        const pushes = names.map((name, at) => {
          const own = list.flatMap(({ branch, message }, place) =>
            branch === name ? [{ message, id: ids[place] }] : [],
          )
          const last = own.at(-1)
          const move = { ref: `refs/heads/${name}`, before: before[at] ?? null, after: last?.id ?? null }
          return pushRecord(move, { commitCount: own.length, message: last?.message ?? null })
        })
        await keepState(write, repository, id, {
          besides: (later) => statePushes(later, id, pusher?.id ?? null, pushes),
        })
        return { ids, pushes }
      })
    },
  }),

  /** Marks the commit of a branch, a tag or an id with a new tag; with a message it is an annotated one. */
  createTag: command({
    on: project,
    can: 'code.push',
    input: {
      name: v.pipe(v.string(), v.maxLength(255)),
      /** The default branch when left out. */
      ref: v.optional(v.string()),
      message: v.optional(v.string()),
      /** Only for the host application: who pushed. Without it the push is nobody's activity. */
      pushedBy: v.optional(Reference),
    },
    async run(ctx, { name, ref, message, pushedBy }, { project: { id, defaultBranch } }) {
      const { ports, now } = ctx
      const pusher = await pusherOf(ctx, pushedBy)
      return outside(async ({ write }): Promise<PushRecord> => {
        const repository = await existingForWriting({ ports, write }, id)
        const commit = await repository?.resolve(ref ?? defaultBranch)
        if (repository === undefined || commit === undefined) throw notFound('Commit')
        const { author } = (await repository.commit(commit)) as { author: { name: string; email: string } }
        const tagger = { ...(pusher ?? author), date: now }
        await repository.createTag({ name, commit, ...(message !== undefined && { annotation: { message, tagger } }) })
        const push = await pushRecordOf(repository, { ref: `refs/tags/${name}`, before: null, after: commit })
        await write((later) => statePushes(later, id, pusher?.id ?? null, [push]))
        return push
      })
    },
  }),

  /**
   * States that branches and tags of the repository on disk were moved by somebody's push, as a hook of git tells it. Counts
   * and titles come from the repository; activity, mirrors and the project's record follow.
   */
  recordPush: command({
    on: project,
    can: 'code.push',
    input: {
      changes: v.pipe(v.array(ReferenceMoveInput), v.minLength(1), v.maxLength(10_000)),
      /** Only for the host application: who pushed. Without it the push is nobody's activity. */
      pushedBy: v.optional(Reference),
    },
    async run(ctx, { changes, pushedBy }, { project: { id } }) {
      if (changes.some(({ before, after }) => before === null && after === null)) {
        throw invalid('A push has a commit before or after it')
      }
      const { ports } = ctx
      const pusher = await pusherOf(ctx, pushedBy)
      return outside(async ({ write }): Promise<readonly PushRecord[]> => {
        const repository = await existingForWriting({ ports, write }, id)
        if (repository === undefined) throw notFound('Repository')
        const pushes: PushRecord[] = []
        for (const change of changes) pushes.push(await pushRecordOf(repository, change))
        await keepState(write, repository, id, {
          besides: (later) => statePushes(later, id, pusher?.id ?? null, pushes),
        })
        return pushes
      })
    },
  }),
}
