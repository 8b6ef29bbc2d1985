import * as v from 'valibot'
import { project, projectOrInstance } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, mapResult } from '../../../kernel/deferred.ts'
import { isPlatformError, notFound } from '../../../kernel/errors.ts'
import { query } from '../../../kernel/operation.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { resolveRevision } from '../../code/repository/opened-repository.ts'
import { CiConfigError } from '../ci-config/config-error.ts'
import type { CiLintResult } from '../ci-config/lint-result.ts'
import {
  openPipelineFiles,
  type PipelineFiles,
  readPipelineText,
  withPipelineText,
} from '../ci-config/pipeline-file.ts'
import { type PipelineFile, withPipelineFile } from '../ci-config/planner.ts'
import { emptyReader } from '../ci-config/repository-reader.ts'
import { findTarget, type PipelineTarget } from '../pipelines/pipeline-request.ts'
import { type PlanInputs, readPlanInputs } from '../pipelines/plan-inputs.ts'

const contentInput = {
  /** Text of a pipeline file, at most 1 MiB. */
  content: v.pipe(v.string(), v.maxLength(1_048_576)),
}

const includeJobs = {
  /** Whether the result contains the jobs. Default: false. */
  includeJobs: v.optional(v.boolean(), false),
}

const includeMergedYaml = {
  /** Whether the result contains the merged YAML. Default: only with a project. */
  includeMergedYaml: v.optional(v.boolean()),
}

const projectInput = {
  ...includeJobs,
  /**
   * Whether to apply the rules of the file as for a new pipeline. They know the stored variables of users who may run pipelines,
   * and protected ones of those who may change the branch. Default: false.
   */
  dryRun: v.optional(v.boolean(), false),
  /** Branch or tag for `dryRun`, from which a text includes files. Default: the default branch. */
  ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

interface LintOptions {
  readonly includeJobs: boolean
  readonly dryRun?: boolean
  readonly ref?: string | undefined
}

interface PlanResult {
  readonly errors: readonly string[]
  /** Whether a job of the file is in the pipeline. */
  readonly includes?: (name: string) => boolean
}

/** The result of a checked file. `plan`: applies its rules. */
const toResult = async (
  file: PipelineFile,
  includeJobs: boolean,
  plan?: () => Promise<PlanResult>,
): Promise<CiLintResult> => {
  const { isValid, warnings, includes, errors } = file.summary
  const planned = isValid ? await plan?.() : undefined
  const described = await describe(file)
  const jobs = described.jobs.filter(({ name }) => planned?.includes?.(name) ?? true)
  const problems = [...errors, ...(planned?.errors ?? []), ...described.errors]
  return {
    valid: problems.length === 0,
    errors: problems,
    warnings: [...warnings],
    mergedYaml: described.mergedYaml,
    includes: [...includes],
    jobs: includeJobs && isValid ? jobs : null,
  }
}

const describe = async (file: PipelineFile) => {
  try {
    return { ...(await file.describe()), errors: [] }
  } catch (error) {
    if (error instanceof CiConfigError) return { mergedYaml: null, jobs: [], errors: error.problems }
    throw error
  }
}

const missingFile: CiLintResult = {
  valid: false,
  errors: ['Please provide content of .gitlab-ci.yml'],
  warnings: [],
  mergedYaml: null,
  includes: [],
  jobs: null,
}

/** Of a text that no branch or tag has. */
const withoutTarget: PlanInputs = {
  conditions: { ref: '', isTag: false, source: 'push', variables: {}, given: {}, masked: [], inputs: {} },
  listChanges: emptyReader.listChanges,
}

const findTargetOf = async ({ opened }: PipelineFiles, ref: string): Promise<PipelineTarget | undefined> => {
  try {
    return await findTarget(opened?.repository, ref)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'invalid') return undefined
    throw error
  }
}

const lint = async (
  ctx: Context,
  subject: Subjects['project'],
  { content, contentRef }: { readonly content?: string; readonly contentRef?: string | undefined },
  { includeJobs, dryRun = false, ref }: LintOptions,
): Promise<Deferred<CiLintResult>> => {
  const files = await openPipelineFiles(ctx, subject)
  const readsVariables = hasAbility(ctx.actor, subject, 'pipeline.run')
  return afterTransaction(async (runner) => {
    const contentCommit = await resolveRevision(files.opened, content === undefined ? contentRef : ref)
    if (content === undefined && contentRef !== undefined && contentCommit === undefined) throw notFound('Reference')
    const text = content ?? (contentCommit && (await readPipelineText(files, contentCommit)))
    if (text === undefined) return missingFile
    const target = await findTargetOf(files, (dryRun ? ref : undefined) ?? subject.project.defaultBranch)
    if (dryRun && target === undefined) return { ...missingFile, errors: ['Reference not found'] }
    const inputs = target
      ? await readPlanInputs(runner, subject, target, { source: 'push', configPath: files.path, readsVariables })
      : withoutTarget
    const plan = async (file: PipelineFile): Promise<PlanResult> => {
      try {
        const { jobs } = await file.plan()
        const names = new Set(jobs.map(({ name }) => name.replace(/(?: \d+\/\d+|: \[.*\])$/s, '')))
        return { errors: [], includes: (name) => names.has(name) }
      } catch (error) {
        if (error instanceof CiConfigError) return { errors: error.problems }
        throw error
      }
    }
    const commit = dryRun ? target?.sha : contentCommit
    return withPipelineText(files, { text, commit, isCheck: true, ...inputs }, runner, (file) =>
      toResult(file, includeJobs, dryRun ? () => plan(file) : undefined),
    )
  })
}

const lintText = (content: string, includeJobs: boolean) =>
  afterTransaction(async (): Promise<CiLintResult> => {
    const { conditions } = withoutTarget
    const text = { text: content, contextProject: null, conditions, reader: emptyReader, isCheck: true }
    return withPipelineFile(text, (file) => toResult(file, includeJobs))
  })

const withoutMergedYaml = ({ mergedYaml: _, ...result }: CiLintResult): CiLintResult => result

/** Checks pipeline files. */
export const ciLint = {
  /** Checks the pipeline file of a project. */
  checkFile: query({
    on: project,
    can: 'code.read',
    input: {
      ...projectInput,
      /** Branch, tag or commit SHA with the file. Default: the default branch. */
      contentRef: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
    },
    run: (ctx, { contentRef, ...options }, subject) => lint(ctx, subject, { contentRef }, options),
  }),

  /** Checks a text as a pipeline file. It can include files of its project; without one, none. */
  check: query({
    on: projectOrInstance,
    can: 'ciLint.check',
    allowsReadScope: false,
    input: { ...contentInput, ...projectInput, ...includeMergedYaml },
    rules: [
      ({ project, dryRun, ref }) =>
        project === undefined && (dryRun || ref !== undefined)
          ? { fields: ['project'], message: 'is missing' }
          : undefined,
    ],
    async run(
      ctx,
      { content, includeMergedYaml, ...options },
      subject,
    ): Promise<CiLintResult | Deferred<CiLintResult>> {
      const isOfProject = subject.kind === 'project'
      const linted = isOfProject
        ? await lint(ctx, subject, { content }, options)
        : lintText(content, options.includeJobs)
      return (includeMergedYaml ?? isOfProject) ? linted : mapResult(linted, withoutMergedYaml)
    },
  }),
}
