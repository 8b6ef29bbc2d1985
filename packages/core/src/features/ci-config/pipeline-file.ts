import { project as projectSubject } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import type { TransactionRunner } from '../../kernel/deferred.ts'
import { isPlatformError } from '../../kernel/errors.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { readProjectSettings } from '../projects/stored-settings.ts'
import { type OpenedRepository, openRepository, resolveRevision } from '../repository/opened-repository.ts'
import { findTreeEntry } from '../repository/tree-entries.ts'
import type { ReadFile } from './includes.ts'
import { type PipelineFile, withPipelineFile } from './planner.ts'
import { maxFileBytes } from './yaml.ts'

/** Where the pipeline file of a project is. */
export interface PipelineFiles {
  readonly opened: OpenedRepository | undefined
  readonly projectPath: string
  /** Path of the pipeline file. */
  readonly path: string
}

const defaultPath = '.gitlab-ci.yml'

export const openPipelineFiles = async (ctx: Context, subject: Subjects['project']): Promise<PipelineFiles> => {
  const { id, fullPath } = subject.project
  const { ciConfigPath } = await readProjectSettings(ctx, id)
  return {
    opened: await openRepository(ctx, subject),
    projectPath: fullPath,
    path: ciConfigPath || defaultPath,
  }
}

const readText = async (opened: OpenedRepository, commit: string, path: string): Promise<string | undefined> => {
  const entry = await findTreeEntry(opened.repository, commit, path, opened.abortable)
  if (entry?.type !== 'blob') return undefined
  const blob = await opened.repository.blob(entry.id, { maximumBytes: maxFileBytes, ...opened.abortable })
  return blob && new TextDecoder().decode(blob.content)
}

/** The repository of another project, if the caller can read its code. */
const openOther = async (runner: TransactionRunner, path: string): Promise<OpenedRepository | undefined> => {
  try {
    return await runner.read(async (ctx) => {
      const subject = (await projectSubject.load(ctx, { project: path })) as Subjects['project']
      return hasAbility(ctx.actor, subject, 'code.read') ? openRepository(ctx, subject) : undefined
    })
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

const createReader =
  ({ opened }: PipelineFiles, commit: string | undefined, runner: TransactionRunner): ReadFile =>
  async (path, { project, ref }) => {
    if (project === undefined) return opened && commit ? readText(opened, commit, path) : undefined
    const other = await openOther(runner, project)
    const otherCommit = await resolveRevision(other, ref)
    return other && otherCommit ? readText(other, otherCommit, path) : undefined
  }

interface CommitText {
  readonly text: string
  /** From which the text can include files. */
  readonly commit: string | undefined
  readonly isCheck?: boolean
}

/** Calls `work` with a text that was parsed as the pipeline file of a commit. */
export const withPipelineText = <T>(
  files: PipelineFiles,
  { text, commit, isCheck = false }: CommitText,
  runner: TransactionRunner,
  work: (file: PipelineFile) => Promise<T>,
): Promise<T> => {
  const readFile = createReader(files, commit, runner)
  return withPipelineFile({ text, contextProject: files.projectPath, readFile, isCheck }, work)
}

/** The text of the pipeline file of a commit; undefined if there is none. */
export const readPipelineText = async ({ opened, path }: PipelineFiles, commit: string): Promise<string | undefined> =>
  opened && readText(opened, commit, path)
