import * as v from 'valibot'
import { isPlatformError } from '../kernel/errors.ts'
import type { Planting } from './planting.ts'

const Person = v.union([v.string(), v.strictObject({ name: v.string(), email: v.string() })])

const Commit = v.strictObject({
  message: v.string(),
  /** A username, or a name and an address. */
  author: Person,
  /** With an offset: `2026-01-31T12:00:00Z`. The instant of planting when left out. */
  date: v.optional(v.string()),
  /** The default branch when left out. */
  branch: v.optional(v.string()),
  /** Ids, or places in this list counted from 0; the commit before on the same branch when left out. */
  parents: v.optional(v.array(v.union([v.string(), v.number()]))),
  /** Path → text. Null removes the file. */
  files: v.optional(v.record(v.string(), v.nullable(v.string())), {}),
})

const Tag = v.strictObject({
  name: v.string(),
  /** A branch, or the place of a commit in the list above; the default branch when left out. */
  at: v.optional(v.union([v.string(), v.number()])),
  message: v.optional(v.string()),
})

/**
 * The repository of a project: `{ commits: […] }` writes one, `{ import: path }` takes a copy of one on this machine, with
 * `inPlace` the one there itself, and `{}` makes an empty one.
 */
export const repositoryItem = v.optional(
  v.strictObject({
    commits: v.optional(v.array(Commit), []),
    tags: v.optional(v.array(Tag), []),
    /** A username: the commits are then an activity of theirs, as a push. */
    pushedBy: v.optional(v.string()),
    import: v.optional(v.string()),
    inPlace: v.optional(v.boolean(), false),
    /** Left out where this machine has no git. */
    ifPossible: v.optional(v.boolean(), false),
  }),
)

type Item = NonNullable<v.InferOutput<typeof repositoryItem>>

const fileChanges = (files: Readonly<Record<string, string | null>>) =>
  Object.entries(files).map(([path, content]) =>
    content === null ? { path, removed: true as const } : { path, content },
  )

const personOf = async (planting: Planting, author: v.InferOutput<typeof Person>) => {
  if (typeof author !== 'string') return author
  const { name, email } = await planting.at().users.get({ user: author })
  return { name, email }
}

const write = async (planting: Planting, project: number, { commits, tags, pushedBy }: Item) => {
  const pusher = pushedBy === undefined ? {} : { pushedBy }
  const list = []
  for (const { author, date, files, branch, parents, message } of commits) {
    const person = await personOf(planting, author)
    list.push({
      message,
      ...(branch !== undefined && { branch }),
      ...(parents && { parents }),
      author: { ...person, ...(date !== undefined && { date }) },
      files: fileChanges(files),
    })
  }
  const at = planting.at()
  if (list.length === 0) {
    await at.repository.create({ project })
    return
  }
  const { ids } = await at.repository.commit({ project, commits: list, ...pusher })
  for (const { at: marked, ...tag } of tags) {
    const ref = typeof marked === 'number' ? ids[marked] : marked
    await at.repository.createTag({ project, ...tag, ...(ref !== undefined && { ref }), ...pusher })
  }
}

/** Gives a project its repository. */
export async function plantRepository(planting: Planting, item: Item, project: number): Promise<void> {
  try {
    if (item.import === undefined) await write(planting, project, item)
    else await planting.at().repository.import({ project, path: item.import, inPlace: item.inPlace })
  } catch (error) {
    if (!item.ifPossible || !isPlatformError(error) || error.code !== 'unavailable') throw error
  }
}
