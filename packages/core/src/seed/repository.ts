import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { requireDetails } from '../features/accounts/users/user-detail.ts'
import { lineTypes } from '../features/collaboration/commit-comments/comment.ts'
import { isPlatformError } from '../kernel/errors.ts'
import { defined } from '../shared/defined.ts'
import { forEachItem } from './seed-path.ts'
import { type Seeder, Timestamp } from './seeder.ts'

const CommitAuthor = v.union([
  v.string(),
  v.strictObject({
    /** Without angle brackets. */
    name: v.string(),
    /** It need not be the address of a user. */
    email: v.string(),
  }),
])

const Comment = v.strictObject({
  /** A username. */
  author: v.string(),
  /** Text in Markdown. */
  note: v.string(),
  /** A file of the commit; requires `line` and `lineType`. Default: the whole commit. */
  path: v.optional(v.string()),
  /** Number of the line in the file, from 1. */
  line: v.optional(v.number()),
  /** Whether `line` counts the lines after (`new`) or before (`old`) the commit. */
  lineType: v.optional(v.picklist(lineTypes)),
  createdAt: Timestamp,
})

const Commit = v.strictObject({
  /** Title of the commit, or a title, an empty line and text. */
  message: v.string(),
  /** A username, or a name and an e-mail address. */
  author: CommitAuthor,
  /** ISO 8601 with an offset: `2026-01-31T12:00:00Z`. Default: the current time. */
  date: v.optional(v.string()),
  /** Default: the default branch. */
  branch: v.optional(v.string()),
  /** Ids, or indexes of earlier commits in this list. Default: the previous commit of the branch. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  /** File contents by path. Null removes a file. */
  files: v.optional(v.record(v.string(), v.nullable(v.string())), {}),
  /** Comments on the commit. */
  comments: v.optional(v.array(Comment), []),
})

const Tag = v.strictObject({
  /** A valid git tag, such as `v1.0.0`. */
  name: v.string(),
  /** A branch, or the index of a commit. Default: the default branch. */
  at: v.optional(v.union([v.string(), v.number()])),
  /** Creates an annotated tag. Default: a lightweight tag. */
  message: v.optional(v.string()),
})

/**
 * The repository of a project: `{ commits: […] }` writes commits, `{ import: path }` copies a local repository or, with
 * `inPlace`, uses it directly, and `{}` creates an empty repository.
 */
export const RepositorySeed = v.optional(
  v.strictObject({
    /** Commits in the order of their creation. Default: an empty repository. */
    commits: v.optional(v.array(Commit), []),
    /** Tags of the commits. */
    tags: v.optional(v.array(Tag), []),
    /** A username. Records the commits as a push event of this user. */
    pushedBy: v.optional(v.string()),
    /** Path of a repository on this machine, which is copied; relative to the seed file. */
    import: v.optional(v.string()),
    /** Uses the imported repository where it is instead of a copy. */
    inPlace: v.optional(v.boolean(), false),
    /** Skips the repository when git is not installed. */
    ifPossible: v.optional(v.boolean(), false),
  }),
)

type RepositorySeedData = NonNullable<v.InferOutput<typeof RepositorySeed>>

const toFileChanges = (files: Readonly<Record<string, string | null>>) =>
  Object.entries(files).map(([path, content]) =>
    content === null ? { path, removed: true as const } : { path, content },
  )

const resolveAuthor = async (seeder: Seeder, author: v.InferOutput<typeof CommitAuthor>) => {
  if (typeof author !== 'string') return author
  const { name, email } = requireDetails(await seeder.asHost().users.get({ user: author }))
  return { name, email }
}

/** The written commits and files. Empty for an imported repository. */
export interface SeededRepository {
  /** Commit ids, in the order of the seed. */
  readonly commits: readonly string[]
  /** Blob ids by path; a later commit replaces the id of an earlier one. */
  readonly blobs: Readonly<Record<string, string>>
}

const nothing: SeededRepository = { commits: [], blobs: {} }

/** The id that git gives to a file with this content. */
const computeBlobId = (content: string) => {
  const bytes = Buffer.from(content)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

const computeBlobIds = (commits: RepositorySeedData['commits']) =>
  Object.fromEntries(
    commits.flatMap(({ files }) =>
      Object.entries(files).flatMap(([path, content]) => (content === null ? [] : [[path, computeBlobId(content)]])),
    ),
  )

const writeRepository = async (
  seeder: Seeder,
  project: number,
  { commits, tags, pushedBy }: RepositorySeedData,
): Promise<SeededRepository> => {
  const pusher = pushedBy === undefined ? {} : { pushedBy }
  const newCommits = []
  for (const { author, date, files, branch, parents, message } of commits) {
    const identity = await resolveAuthor(seeder, author)
    newCommits.push({
      message,
      ...(branch !== undefined && { branch }),
      ...(parents && { parents }),
      author: { ...identity, ...(date !== undefined && { date }) },
      files: toFileChanges(files),
    })
  }
  const host = seeder.asHost()
  if (newCommits.length === 0) {
    await host.repository.create({ project })
    return nothing
  }
  const { ids } = await host.commits.import({ project, commits: newCommits, ...pusher })
  await forEachItem('tags', tags, ({ at: target, name: tagName, message }) => {
    const ref = typeof target === 'number' ? ids[target] : target
    return host.tags.create({
      project,
      tagName,
      ...(ref !== undefined && { ref }),
      ...(message !== undefined && { message }),
      ...pusher,
    })
  })
  await forEachItem('commits', commits, ({ comments }, at) =>
    forEachItem('comments', comments, ({ createdAt, ...comment }) =>
      seeder.asHost(createdAt).commitComments.create({ project, commit: defined(ids[at]), ...comment }),
    ),
  )
  return { commits: ids, blobs: computeBlobIds(commits) }
}

export async function seedRepository(
  seeder: Seeder,
  item: RepositorySeedData,
  project: number,
): Promise<SeededRepository> {
  try {
    if (item.import === undefined) return await writeRepository(seeder, project, item)
    await seeder.asHost().repository.import({ project, path: item.import, inPlace: item.inPlace })
  } catch (error) {
    if (!item.ifPossible || !isPlatformError(error) || error.code !== 'unavailable') throw error
  }
  return nothing
}
