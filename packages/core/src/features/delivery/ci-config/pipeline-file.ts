import { project as projectSubject } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { type OpenedRepository, openRepository, resolveRevision } from '../../code/repository/opened-repository.ts'
import { findTreeEntry } from '../../code/repository/tree-entries.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { findVersion } from './component.ts'
import { readParentArtifact } from './parent-artifact.ts'
import type { PipelineConditions } from './plan.ts'
import { type PipelineFile, withPipelineFile } from './planner.ts'
import type { ChangeList, IncludeSource, PathList, RepositoryReader } from './repository-reader.ts'
import { maxFileBytes } from './yaml.ts'

/** Where the pipeline file of a project is. */
export interface PipelineFiles {
  readonly opened: OpenedRepository | undefined
  readonly projectPath: string
  /** Path of the pipeline file. */
  readonly path: string
}

const defaultConfigPath = '.gitlab-ci.yml'

export const openPipelineFiles = async (ctx: Context, subject: Subjects['project']): Promise<PipelineFiles> => {
  const { id, fullPath } = subject.project
  const { ciConfigPath } = await readProjectSettings(ctx, id)
  return {
    opened: await openRepository(ctx, subject),
    projectPath: fullPath,
    path: ciConfigPath || defaultConfigPath,
  }
}

const readText = async (opened: OpenedRepository, commit: string, path: string): Promise<string | undefined> => {
  const entry = await findTreeEntry(opened.repository, commit, path, opened.abortable)
  if (entry?.type !== 'blob') return undefined
  const blob = await opened.repository.blob(entry.id, { maximumBytes: maxFileBytes, ...opened.abortable })
  return blob && new TextDecoder().decode(blob.content)
}

/** Released versions of a component that are searched. */
const maxVersions = 1_000

const listReleasedTags = async ({ db }: Context, projectId: number) => {
  const releases = db.selectFrom('release').where('projectId', '=', projectId).orderBy('releasedAt', 'desc')
  return (await releases.limit(maxVersions).select('tag').execute()).map(({ tag }) => tag)
}

interface OtherProject {
  readonly repository: OpenedRepository | undefined
  /** Empty unless versions are needed. */
  readonly releasedTags: readonly string[]
}

/** Another project, if the current user can read its code. */
const openOther = async (
  runner: TransactionRunner,
  { project, isVersion = false }: IncludeSource,
): Promise<OtherProject | undefined> => {
  try {
    return await runner.read(async (ctx) => {
      const subject = await projectSubject.load(ctx, { project: project ?? '' })
      if (!hasAbility(ctx.actor, subject, 'code.read')) return undefined
      const releasedTags = isVersion ? await listReleasedTags(ctx, subject.project.id) : []
      return { repository: await openRepository(ctx, subject), releasedTags }
    })
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

/** Paths of a commit that `exists` and patterns of included files search; more are not. */
const maxPaths = 10_000

const listAllPaths = async ({ repository, abortable }: OpenedRepository, commit: string): Promise<PathList> => {
  const tree = await repository.tree({ commit, recursive: true, limit: maxPaths, ...abortable })
  return (tree?.entries ?? []).map(({ path }) => path)
}

const createReader = (
  { opened }: PipelineFiles,
  { commit, listChanges, parentPipelineId }: Pick<CommitText, 'commit' | 'listChanges' | 'parentPipelineId'>,
  runner: TransactionRunner,
): RepositoryReader => {
  const findCommit = async (source: IncludeSource) => {
    if (source.project === undefined) return { repository: opened, commit }
    const { repository, releasedTags = [] } = (await openOther(runner, source)) ?? {}
    const found = await resolveRevision(repository, source.ref)
    const version = found === undefined && source.ref !== undefined ? findVersion(source.ref, releasedTags) : undefined
    return { repository, commit: version === undefined ? found : await resolveRevision(repository, version) }
  }
  return {
    async readFile(path, source) {
      const { job } = source
      if (job !== undefined)
        return parentPipelineId === undefined ? undefined : readParentArtifact(runner, parentPipelineId, { job, path })
      const found = await findCommit(source)
      return found.repository && found.commit ? readText(found.repository, found.commit, path) : undefined
    },
    async listPaths(source) {
      const { repository, commit } = await findCommit(source)
      if (source.project === undefined && (!repository || !commit)) return []
      if (repository === undefined) return 'missing project'
      return commit === undefined ? 'missing ref' : listAllPaths(repository, commit)
    },
    listChanges,
  }
}

interface CommitText {
  readonly text: string
  /** The commit with the files that the text can include and search. */
  readonly commit: string | undefined
  readonly conditions: PipelineConditions
  readonly listChanges: (compareTo: string | undefined) => Promise<ChangeList>
  readonly isCheck?: boolean
  /** The pipeline whose artifacts the text can include. */
  readonly parentPipelineId?: number | undefined
}

/** Calls `work` with a text that was parsed as the pipeline file of a commit. */
export const withPipelineText = <T>(
  files: PipelineFiles,
  { text, conditions, isCheck = false, ...source }: CommitText,
  runner: TransactionRunner,
  work: (file: PipelineFile) => Promise<T>,
): Promise<T> => {
  const reader = createReader(files, source, runner)
  return withPipelineFile({ text, contextProject: files.projectPath, conditions, reader, isCheck }, work)
}

/** The text of the pipeline file of a commit; undefined if there is none. */
export const readPipelineText = async ({ opened, path }: PipelineFiles, commit: string): Promise<string | undefined> =>
  opened && readText(opened, commit, path)
