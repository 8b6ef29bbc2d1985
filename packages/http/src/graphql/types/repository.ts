import { PlatformError, type Session } from '@forgelet/core'
import type { TreeEntry } from '@forgelet/core/operations'
import { CommitWire, TreeEntryWire } from '../../shapes/repository.ts'
import { sliceConnection } from '../connection.ts'
import { ifVisible } from '../if-visible.ts'
import { pick } from '../mutation.ts'
import type { Arguments, GraphqlContext, Json, Resolver, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { toWebPath } from '../web-path.ts'

/** Entries that a tree can have; more have to be read with the REST API, page by page. */
const maxEntries = 1_000
/** Files that one field reads. */
const maxBlobs = 100

const readEntries = async ({ repository }: Session, input: { project: number }): Promise<TreeEntry[]> => {
  const entries: TreeEntry[] = []
  for (let page = 1; ; page++) {
    const { items, hasNext } = await repository.listTree({ ...input, page, perPage: 100 })
    entries.push(...items)
    if (!hasNext) return entries
    if (entries.length >= maxEntries)
      throw new PlatformError('invalid_input', `The tree has more than ${maxEntries} entries: use the REST API`)
  }
}

const readTree: Resolver = async (project: WithId, args, { session, site }) => {
  const input = { project: project.id, ...pick(args, 'path', 'ref', 'recursive') }
  const ref = args.ref ?? project.default_branch
  const entries = (await readEntries(session, input)).map((entry) => ({
    ...TreeEntryWire(entry, site),
    web_url: `${project.web_url}/-/${entry.type}/${ref}/${entry.path}`,
  }))
  return { entries, project: project.id, path: args.path, ref }
}

/** The entries of one type. */
const entriesOf =
  (type: TreeEntry['type']): Resolver =>
  ({ entries }: With<{ entries: Json[] }>, args) =>
    sliceConnection(
      args,
      entries.filter((entry) => entry.type === type),
    )

/** The newest commit of the path. */
const readLastCommit: Resolver = async (
  { project, path, ref }: With<{ project: number }>,
  _args,
  { session, site },
) => {
  const input = { project, ...pick({ path, refName: ref }, 'path', 'refName') }
  const [commit] = (await session.commits.list({ ...input, perPage: 1 })).items
  return commit ? CommitWire(commit, site) : null
}

/** A file with its content; undefined for a missing one. */
const readBlob = async (project: WithId, filePath: string, args: Arguments, context: GraphqlContext) => {
  const { repositoryFiles } = context.session
  const file = await ifVisible(repositoryFiles.get({ project: project.id, filePath, ...pick(args, 'ref') }))
  if (!file) return undefined
  const text = Buffer.from(file.content, 'base64').toString()
  return {
    id: file.blobId,
    oid: file.blobId,
    name: file.fileName,
    path: file.filePath,
    mode: file.executeFilemode ? '100755' : '100644',
    size: file.size,
    raw_blob: text,
    raw_text_blob: text.includes('\0') ? null : text,
    web_url: `${project.web_url}/-/blob/${args.ref ?? project.default_branch}/${file.filePath}`,
  }
}

/** Reads the files one after the other, so that the limit is checked before the next one. */
const readBlobs: Resolver = async (project: WithId, args: With<{ paths: readonly string[] }>, context) => {
  const paths = [...new Set(args.paths)]
  if (paths.length > maxBlobs) throw new PlatformError('invalid_input', `More than ${maxBlobs} paths`)
  const blobs: Json[] = []
  for (const path of paths) {
    const blob = await readBlob(project, path, args, context)
    if (blob) blobs.push(blob)
  }
  return sliceConnection(args, blobs)
}

const entryFields = 'id: ID! sha: String! name: String! path: String! flatPath: String! type: String! mode: String'
const entryComputed = { sha: ({ id }: Json) => id, flatPath: ({ path }: Json) => path }
const linkedComputed = { ...entryComputed, webPath: toWebPath }

/** Files, branches and commits. */
export const repositoryPart: SchemaPart = {
  types: `
type Repository {
  exists: Boolean!
  empty: Boolean!
  rootRef: String
  "At most 1,000 entries."
  tree(path: String = "", ref: String, recursive: Boolean = false): Tree
  "At most 100 paths and 20 MiB. Missing files are left out."
  blobs(paths: [String!]!, ref: String, ${paging}): RepositoryBlobConnection
}
type Tree {
  blobs(${paging}): BlobConnection
  trees(${paging}): TreeEntryConnection
  submodules(${paging}): SubmoduleConnection
  lastCommit: Commit
}
type Blob { ${entryFields} webUrl: String webPath: String }
type TreeEntry { ${entryFields} webUrl: String webPath: String }
type Submodule { ${entryFields} }
type RepositoryBlob {
  id: ID! oid: String! name: String path: String! mode: String size: Int webPath: String
  "The content as text."
  rawBlob: String
  "The content; null for a binary file."
  rawTextBlob: String
}
type Commit {
  id: ID! sha: String! shortId: String! title: String message: String webUrl: String! webPath: String! authorName: String
  authorEmail: String authoredDate: Time committerName: String committerEmail: String committedDate: Time
}
type Branch { name: String! commit: Commit }

extend type Project { repository: Repository }
`,
  weights: { 'Repository.tree': maxEntries / 100 },
  resolvers: {
    Project: { computed: { repository: (project) => project } },
    Repository: {
      computed: {
        exists: ({ empty_repo: isEmpty }) => !isEmpty,
        empty: ({ empty_repo: isEmpty }) => isEmpty,
        rootRef: ({ default_branch: branch }) => branch ?? null,
      },
      calls: { tree: readTree, blobs: readBlobs },
    },
    Tree: {
      computed: { blobs: entriesOf('blob'), trees: entriesOf('tree'), submodules: entriesOf('commit') },
      calls: { lastCommit: readLastCommit },
    },
    Blob: { computed: linkedComputed },
    TreeEntry: { computed: linkedComputed },
    Submodule: { computed: entryComputed },
    RepositoryBlob: { computed: { webPath: toWebPath } },
    Commit: { computed: { sha: ({ id }) => id, webPath: toWebPath } },
  },
}
