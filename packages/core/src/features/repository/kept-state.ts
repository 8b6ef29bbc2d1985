import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Repository } from '../../ports/git.ts'
import { findProject } from '../projects/queries.ts'
import { readmeAmong } from './readme.ts'

type Write = <T>(work: (ctx: Context) => Promise<T>) => Promise<T>

/** Names at the root that are looked through for one that introduces the project. */
const rootEntries = 10_000

/** What the records of projects tell of a repository, kept in the database so that lists need not ask git. */
interface KeptState {
  readonly defaultBranch: string
  readonly empty: boolean
  readonly readme: string | null
  /** Bytes. */
  readonly size: number
}

/** Where the wanted branch is missing, the one that HEAD names; then the first one there is. */
const defaultBranchOf = async (repository: Repository, wanted: string): Promise<string> => {
  if ((await repository.branch(wanted)) !== undefined) return wanted
  const { branch } = await repository.head()
  const branches = await repository.branches()
  const named = branches.find(({ name }) => name === branch) ?? branches[0]
  return named?.name ?? wanted
}

const stateOf = async (repository: Repository, wanted: string): Promise<KeptState> => {
  const [defaultBranch, size] = await Promise.all([defaultBranchOf(repository, wanted), repository.size()])
  const commit = await repository.branch(defaultBranch)
  const root = commit === undefined ? undefined : await repository.tree({ commit, limit: rootEntries })
  const files = (root?.entries ?? []).filter(({ type }) => type === 'blob')
  return { defaultBranch, size, empty: commit === undefined, readme: readmeAmong(files.map(({ name }) => name)) }
}

const keep = async (ctx: Context, projectId: number, { defaultBranch, empty, readme, size }: KeptState) => {
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  if (row === undefined) throw notFound('Project')
  await ctx.db
    .updateTable('project')
    .set({
      defaultBranch,
      emptyRepo: empty,
      lastActivityAt: ctx.now,
      settings: { ...row.settings, readmePath: readme },
    })
    .where('id', '=', projectId)
    .execute()
  const others = { wikiSize: 0, lfsObjectsSize: 0, jobArtifactsSize: 0, packagesSize: 0 }
  await ctx.db
    .insertInto('projectSize')
    .values({ projectId, repositorySize: size, ...others })
    .onConflict((known) => known.column('projectId').doUpdateSet({ repositorySize: size }))
    .execute()
}

/**
 * Looks at a repository that has changed and writes down what project records tell of it: default branch, whether it is
 * empty, the file that introduces it, its size. `besides` happens in the same transaction; `defaultBranch` is the branch to
 * prefer, the project's own when left out.
 */
export async function keepState(
  write: Write,
  repository: Repository,
  projectId: number,
  { defaultBranch, besides }: { defaultBranch?: string | undefined; besides?: (ctx: Context) => Promise<void> } = {},
): Promise<void> {
  const project = await write(async (ctx) => findProject(ctx, projectId))
  if (project === undefined) throw notFound('Project')
  const wanted = defaultBranch ?? project.defaultBranch
  const state = await stateOf(repository, wanted)
  if (state.defaultBranch !== wanted) await repository.setHead(state.defaultBranch)
  await write(async (ctx) => {
    await keep(ctx, projectId, state)
    await besides?.(ctx)
  })
}
