import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import { invalid, notFound, PlatformError } from '../../kernel/errors.ts'
import { Sort } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { outside } from '../../kernel/outside.ts'
import { type Page, pageFrom, pageOf, paging } from '../../kernel/paging.ts'
import { callerKey } from '../../kernel/rate-limit.ts'
import { may } from '../../policy.ts'
import type { Contributor, Reference as Named, Repository, TreeEntry } from '../../ports/git.ts'
import { settingsInForce } from '../settings/queries.ts'
import { archiveName, archiveSuffixes } from './archive-name.ts'
import { contributorOrders, inOrder } from './contributor-order.ts'
import { type OpenedRepository, openRepository, revision, tipOf } from './opened-repository.ts'
import {
  type Branch,
  type RawBlob,
  type RepositoryArchive,
  type RepositoryBlob,
  type RepositoryCommit,
  type RepositoryComparison,
  type RepositoryState,
  type Tag,
  toCommit,
  toComparison,
} from './repository.ts'

/** Longer texts name nothing; paths of files can be long. */
const Path = v.pipe(v.string(), v.maxLength(8_192))
const Revision = v.pipe(v.string(), v.maxLength(1_024))
const Sha = v.pipe(v.string(), v.maxLength(1_024))

/** Archives a minute of one project that one person may ask for: specification 1, "Limits". */
const archivesPerMinute = 5

/** Files up to so many bytes are sent from memory. */
const smallFile = 1024 ** 2

const commitOf = async ({ repository }: OpenedRepository, id: string): Promise<RepositoryCommit> => {
  const found = await repository.commit(id)
  if (found === undefined) throw notFound('Commit')
  return toCommit(found)
}

const missing = (references: readonly string[]) =>
  invalid(`Could not find ${references.length === 1 ? 'ref' : 'refs'}: ${references.join(', ')}`)

const rawBlob = async ({ repository, abortable }: OpenedRepository, sha: string): Promise<RawBlob | undefined> => {
  try {
    const whole = await repository.blob(sha, { maximumBytes: smallFile })
    return whole && { sha: whole.id, size: whole.size, content: whole.content }
  } catch (error) {
    if (!(error instanceof PlatformError) || error.reason !== 'too_large') throw error
  }
  const stream = await repository.blobStream(sha, abortable)
  return stream && { sha: stream.id, size: stream.size, content: stream.content }
}

/** A page of branches or tags, each with its commit. */
const withCommits = async (
  opened: OpenedRepository | undefined,
  names: (repository: Repository) => Promise<readonly Named[]>,
  { search, ...at }: { page: number; perPage: number; search?: string | undefined },
): Promise<Page<{ name: string; commit: RepositoryCommit }>> => {
  const all = opened === undefined ? [] : await names(opened.repository)
  const wanted = search === undefined ? all : all.filter(({ name }) => name.includes(search))
  const found = pageOf(wanted, at)
  const items = found.items.map(async ({ name, commit }) => ({
    name,
    commit: await commitOf(opened as OpenedRepository, commit),
  }))
  return { ...found, items: await Promise.all(items) }
}

const listed = { ...paging, search: v.optional(v.string()) }

export const readOperations = {
  /** What there is to say of the repository as a whole. */
  get: query({
    on: project,
    can: 'code.read',
    async run(ctx, _input, subject) {
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      const tells = may(ctx.actor, subject, 'repository.import')
      return outside(async (): Promise<RepositoryState> => {
        const head = opened && (await tipOf(opened))
        return {
          exists: opened !== undefined,
          empty: head === undefined,
          defaultBranch,
          head: head ?? null,
          ...(tells && opened && { directory: opened.repository.directory }),
        }
      })
    },
  }),

  /**
   * The entries below a path at a branch, tag or commit: directories, then files, then submodules. An unknown path has none.
   *
   * @throws PlatformError `not_found` for an unknown `ref` and for a repository without commits
   */
  tree: query({
    on: project,
    can: 'code.read',
    input: {
      ...paging,
      path: v.optional(Path),
      ref: v.optional(Revision),
      recursive: v.optional(v.boolean(), false),
    },
    async run(ctx, { path = '', ref, recursive, ...at }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<Page<TreeEntry>> => {
        const commit = await revision(opened, ref)
        if (opened === undefined || commit === undefined) throw notFound('Tree')
        let total = 0
        return pageFrom(at, {
          find: async (stretch) => {
            const request = { commit, path, recursive, ...stretch, ...opened.abortable }
            const found = await opened.repository.tree(request)
            if (found === undefined) throw notFound('Tree')
            total = found.total
            return found.entries
          },
          count: (most) => Math.min(total, most),
        })
      })
    },
  }),

  /** A file by the id of its content, in Base64. */
  blob: query({
    on: project,
    can: 'code.read',
    input: { sha: Sha },
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RepositoryBlob> => {
        const found = await opened?.repository.blob(sha)
        if (found === undefined) throw notFound('Blob')
        const { buffer, byteOffset, byteLength } = found.content
        const content = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
        return { sha: found.id, size: found.size, encoding: 'base64', content }
      })
    },
  }),

  /** A file's bytes by the id of its content, of any size. */
  rawBlob: query({
    on: project,
    can: 'code.read',
    input: { sha: Sha },
    limit: {
      name: 'raw_blob',
      times: async (ctx) => (await settingsInForce(ctx)).rawBlobRequestLimit,
      by: (_ctx, { sha }, { project }) => `project:${project.id} blob:${sha.slice(0, 64)}`,
      message: 'This endpoint has been requested too many times. Try again later.',
    },
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RawBlob> => {
        const found = opened && (await rawBlob(opened, sha))
        if (found === undefined) throw notFound('Blob')
        return found
      })
    },
  }),

  /** The files of a commit as one archive; of the default branch when no branch, tag or commit is named. */
  archive: query({
    on: project,
    can: 'code.read',
    input: {
      sha: v.optional(Revision),
      format: v.optional(v.picklist(Object.keys(archiveSuffixes)), 'tar.gz'),
    },
    limit: {
      name: 'archive',
      times: () => archivesPerMinute,
      by: (ctx, _input, { project }) => `${callerKey(ctx.actor)} project:${project.id}`,
      message: 'This archive has been requested too many times. Try again later.',
    },
    async run(ctx, { sha, format: suffix }, subject) {
      const { path, defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RepositoryArchive> => {
        const commit = await revision(opened, sha)
        if (opened === undefined || commit === undefined) throw notFound('File')
        const prefix = archiveName(path, sha || defaultBranch, commit)
        const format = archiveSuffixes[suffix] ?? 'tar.gz'
        const content = await opened.repository.archive({ commit, format, prefix, ...opened.abortable })
        return { fileName: `${prefix}.${format}`, format, content }
      })
    },
  }),

  /**
   * What `to` has that `from` has not. Differences are those since the two parted; with `straight`, those between the two
   * commits themselves.
   */
  compare: query({
    on: project,
    can: 'code.read',
    input: { from: Revision, to: Revision, straight: v.optional(v.boolean(), false) },
    async run(ctx, { straight, ...ends }, subject) {
      const opened = await openRepository(ctx, subject)
      const { diffMaxPatchBytes: maximumPatchBytes } = await settingsInForce(ctx)
      return outside(async (): Promise<RepositoryComparison> => {
        // An empty text is no default here: both ends have to be named.
        const named = (text: string) => (text === '' ? undefined : revision(opened, text))
        const [from, to] = await Promise.all([named(ends.from), named(ends.to)])
        if (opened === undefined || from === undefined || to === undefined) throw notFound('Ref')
        const found = await opened.repository.compare({ from, to, straight, maximumPatchBytes, ...opened.abortable })
        return toComparison(found, from === to)
      })
    },
  }),

  /** Who wrote the newest 2,000 commits of the default branch that are no merges, and how many lines. */
  contributors: query({
    on: project,
    can: 'code.read',
    input: { ...paging, orderBy: v.optional(v.picklist(contributorOrders), 'commits'), sort: v.optional(Sort, 'asc') },
    async run(ctx, { orderBy, sort, ...at }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<Page<Contributor>> => {
        const tip = opened && (await tipOf(opened))
        if (opened === undefined || tip === undefined) throw notFound('')
        return pageOf(inOrder(await opened.repository.contributors(tip, opened.abortable), orderBy, sort), at)
      })
    },
  }),

  /** The best commit that all of the named branches, tags or commits contain; 2 to 100 of them. */
  mergeBase: query({
    on: project,
    can: 'code.read',
    input: { refs: v.pipe(v.array(Revision), v.maxLength(100)) },
    async run(ctx, { refs }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RepositoryCommit> => {
        if (refs.length < 2) throw invalid('Provide at least 2 refs')
        const found = await Promise.all(
          refs.map(async (text) => ({ text, commit: text === '' ? undefined : await revision(opened, text) })),
        )
        const unknown = found.filter(({ commit }) => commit === undefined)
        if (opened === undefined || unknown.length) throw missing(unknown.map(({ text }) => text))
        const commits = found.flatMap(({ commit }) => commit ?? [])
        const base = await opened.repository.mergeBase(commits, opened.abortable)
        if (base === undefined) throw notFound('Merge Base')
        return commitOf(opened, base)
      })
    },
  }),

  /** One commit, by a branch, a tag or an id. */
  getCommit: query({
    on: project,
    can: 'code.read',
    input: { sha: Revision },
    async run(ctx, { sha }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<RepositoryCommit> => {
        const id = sha === '' ? undefined : await revision(opened, sha)
        if (opened === undefined || id === undefined) throw notFound('Commit')
        return commitOf(opened, id)
      })
    },
  }),

  /** Branches by name, each with its newest commit. */
  branches: query({
    on: project,
    can: 'code.read',
    input: listed,
    async run(ctx, input, subject) {
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<Page<Branch>> => {
        const found = await withCommits(opened, (repository) => repository.branches(), input)
        return { ...found, items: found.items.map((branch) => ({ ...branch, default: branch.name === defaultBranch })) }
      })
    },
  }),

  /** One branch by its name. */
  branch: query({
    on: project,
    can: 'code.read',
    input: { branch: Revision },
    async run(ctx, { branch: name }, subject) {
      const { defaultBranch } = subject.project
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<Branch> => {
        const id = await opened?.repository.branch(name)
        if (opened === undefined || id === undefined) throw notFound('Branch')
        return { name, default: name === defaultBranch, commit: await commitOf(opened, id) }
      })
    },
  }),

  /** Tags by name, each with the commit that it marks. */
  tags: query({
    on: project,
    can: 'code.read',
    input: listed,
    async run(ctx, input, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async (): Promise<Page<Tag>> => withCommits(opened, (repository) => repository.tags(), input))
    },
  }),
}
