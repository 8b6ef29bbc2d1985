import { findProject } from '../../../access/projects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { GitReference, Repository } from '../../../ports/git.ts'
import type { Templates } from '../../../ports/templates.ts'
import { noSizes } from '../../spaces/projects/project-statistics.ts'
import type { ProjectLicense } from '../../spaces/projects/settings.ts'
import { protectDefaultBranch } from '../protected-references/default-branch.ts'
import { findLicense } from './license-match.ts'
import { findTip } from './opened-repository.ts'
import { findReadme } from './readme.ts'

type WriteTransaction = <T>(work: (ctx: Context) => Promise<T>) => Promise<T>

/** Maximum number of root entries that are searched for a readme. */
const maxRootEntries = 10_000

/** Repository data of project records, stored in the database so that lists do not run git. */
export interface RepositorySummary {
  readonly defaultBranch: string
  readonly empty: boolean
  readonly readme: string | null
  /** The license of the default branch, by its text. */
  readonly license: ProjectLicense | null
  /** Bytes. */
  readonly size: number
  /** Number of commits of the default branch. */
  readonly commitCount: number
}

/**
 * The preferred branch if it exists, otherwise the branch of HEAD, or a branch at the commit of a detached HEAD, otherwise `main` or
 * `master`, otherwise the first branch.
 */
const findDefaultBranch = async (repository: Repository, preferred: string): Promise<string> => {
  if ((await repository.branch(preferred)) !== undefined) return preferred
  const head = await repository.head()
  const branches = await repository.branches()
  const isHead = ({ name, commit }: GitReference) =>
    head.branch === undefined ? commit === head.commit : name === head.branch
  const usual = branches.find(({ name }) => name === 'main') ?? branches.find(({ name }) => name === 'master')
  const existing = branches.find(isHead) ?? usual ?? branches[0]
  return existing?.name ?? preferred
}

const summarize = async (
  repository: Repository,
  preferredBranch: string,
  templates: Templates,
): Promise<RepositorySummary> => {
  const [defaultBranch, size] = await Promise.all([findDefaultBranch(repository, preferredBranch), repository.size()])
  const commit = await findTip({ repository, defaultBranch })
  const [root, commitCount] =
    commit === undefined
      ? [undefined, 0]
      : await Promise.all([
          repository.tree({ commit, limit: maxRootEntries }),
          repository.countCommits({ commit, exclude: [] }),
        ])
  const files = (root?.entries ?? []).filter(({ type }) => type === 'blob')
  return {
    defaultBranch,
    size,
    commitCount,
    empty: commit === undefined,
    readme: findReadme(files.map(({ name }) => name)),
    license: await findLicense(repository, files, templates),
  }
}

/**
 * Reads the summary of a changed repository: default branch, emptiness, readme, license and size. `defaultBranch` is the preferred branch
 * and defaults to that of the project. A detached HEAD stays: it may belong to the working directory of a repository that is used
 * in place.
 */
export const readSummary = async (
  write: WriteTransaction,
  repository: Repository,
  projectId: number,
  defaultBranch?: string,
): Promise<RepositorySummary> => {
  const { project, templates } = await write(async (ctx) => ({
    project: await findProject(ctx, projectId),
    templates: ctx.ports.templates,
  }))
  if (project === undefined) throw notFound('Project')
  const preferredBranch = defaultBranch ?? project.defaultBranch
  const summary = await summarize(repository, preferredBranch, templates)
  const { branch } = await repository.head()
  if (branch !== undefined && summary.defaultBranch !== preferredBranch) await repository.setHead(summary.defaultBranch)
  return summary
}

export const storeSummary = async (
  ctx: Context,
  projectId: number,
  { defaultBranch, empty, readme, license, size, commitCount }: RepositorySummary,
) => {
  const row = await ctx.db
    .selectFrom('project')
    .where('id', '=', projectId)
    .select(['id', 'namespaceId', 'settings', 'emptyRepo'])
    .executeTakeFirst()
  if (row === undefined) throw notFound('Project')
  await ctx.db
    .updateTable('project')
    .set({
      defaultBranch,
      emptyRepo: empty,
      lastActivityAt: ctx.now,
      settings: { ...row.settings, readmePath: readme, license },
    })
    .where('id', '=', projectId)
    .execute()
  if (row.emptyRepo && !empty) await protectDefaultBranch(ctx, row, defaultBranch)
  await ctx.db
    .insertInto('projectSize')
    .values({ projectId, ...noSizes, repositorySize: size, commitCount } satisfies CompleteRow<'projectSize'>)
    .onConflict((oc) => oc.column('projectId').doUpdateSet({ repositorySize: size, commitCount }))
    .execute()
  if (!empty) await ctx.enqueue('repository.countLanguages', { projectId }, { key: String(projectId) })
}

/** Updates the stored summary of a changed repository. `beforeCommit` runs in the same transaction as the update. */
export async function refreshSummary(
  write: WriteTransaction,
  repository: Repository,
  projectId: number,
  {
    defaultBranch,
    beforeCommit,
  }: { defaultBranch?: string | undefined; beforeCommit?: (ctx: Context) => Promise<void> } = {},
): Promise<RepositorySummary> {
  const summary = await readSummary(write, repository, projectId, defaultBranch)
  await write(async (ctx) => {
    await storeSummary(ctx, projectId, summary)
    await beforeCommit?.(ctx)
  })
  return summary
}
