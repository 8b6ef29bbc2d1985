import * as v from 'valibot'
import { instance, project } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../kernel/deferred.ts'
import { isPlatformError, notFound } from '../../kernel/errors.ts'
import { query } from '../../kernel/operation.ts'
import { type ParsedConfig, parseCiConfig } from '../ci-config/config.ts'
import { CiConfigError } from '../ci-config/config-error.ts'
import { type CiLintJob, type CiLintResult, describeJobs } from '../ci-config/lint-result.ts'
import { openPipelineFiles, parsePipelineText, readPipelineText } from '../ci-config/pipeline-file.ts'
import { formatYaml } from '../ci-config/yaml.ts'
import { resolveRevision } from '../repository/opened-repository.ts'
import { findTarget, planAt } from './create-pipeline.ts'

const contentInput = {
  /** Text of a pipeline file, at most 1 MiB. */
  content: v.pipe(v.string(), v.maxLength(1_048_576)),
}

const includeJobs = {
  /** Whether the result contains the jobs. Default: false. */
  includeJobs: v.optional(v.boolean(), false),
}

const projectInput = {
  ...includeJobs,
  /** Whether to apply the rules of the file as for a new pipeline. Default: false. */
  dryRun: v.optional(v.boolean(), false),
  /** Branch or tag for `dryRun`. Default: the default branch. */
  ref: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

interface LintOptions {
  readonly includeJobs: boolean
  readonly dryRun?: boolean
  readonly ref?: string | undefined
}

const toResult = (
  { config, errors, warnings, merged, includes }: ParsedConfig,
  jobs: CiLintJob[] | undefined,
  planErrors: readonly string[] = [],
): CiLintResult => ({
  valid: config !== undefined && planErrors.length === 0,
  errors: [...errors, ...planErrors],
  warnings: [...warnings],
  mergedYaml: merged === undefined ? null : formatYaml(merged),
  includes: [...includes],
  jobs: jobs ?? null,
})

const lint = async (
  ctx: Context,
  subject: Subjects['project'],
  { content, contentRef }: { readonly content?: string; readonly contentRef?: string | undefined },
  { includeJobs, dryRun = false, ref }: LintOptions,
): Promise<Deferred<CiLintResult>> => {
  const files = await openPipelineFiles(ctx, subject)
  return afterTransaction(async (runner) => {
    const commit = await resolveRevision(files.opened, contentRef)
    if (content === undefined && contentRef !== undefined && commit === undefined) throw notFound('Reference')
    const text = content ?? (commit && (await readPipelineText(files, commit)))
    if (text === undefined) {
      const missing = { config: undefined, errors: ['Please provide content of .gitlab-ci.yml'], merged: undefined }
      return toResult({ ...missing, warnings: [], includes: [] }, undefined)
    }
    const parsed = await parsePipelineText(files, text, commit, runner)
    if (parsed.config === undefined) return toResult(parsed, undefined)
    const jobs = includeJobs ? describeJobs(parsed.config) : undefined
    if (!dryRun) return toResult(parsed, jobs)
    try {
      const target = await findTarget(files.opened?.repository, ref ?? subject.project.defaultBranch)
      const plan = await planAt(runner, subject, parsed.config, target, { source: 'push' })
      const names = new Set(plan.jobs.map(({ name }) => name.replace(/(?: \d+\/\d+|: \[.*\])$/, '')))
      return toResult(
        parsed,
        jobs?.filter(({ name }) => names.has(name)),
      )
    } catch (error) {
      if (error instanceof CiConfigError) return toResult(parsed, jobs, error.problems)
      if (isPlatformError(error) && error.code === 'invalid') return toResult(parsed, jobs, ['Reference not found'])
      throw error
    }
  })
}

/** Checks pipeline files. */
export const ciLint = {
  /** Checks the pipeline file of a project. */
  ofProject: query({
    on: project,
    can: 'code.read',
    input: {
      ...projectInput,
      /** Branch, tag or commit SHA with the file. Default: the default branch. */
      contentRef: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
    },
    run: (ctx, { contentRef, ...options }, subject) => lint(ctx, subject, { contentRef }, options),
  }),

  /** Checks a text as the pipeline file of a project, from which it can include files. */
  inProject: query({
    on: project,
    can: 'pipeline.run',
    allowsReadScope: false,
    input: { ...contentInput, ...projectInput },
    run: (ctx, { content, ...options }, subject) => lint(ctx, subject, { content }, options),
  }),

  /** Checks a text as a pipeline file. It cannot include files. */
  text: query({
    on: instance,
    can: 'ciLint.text',
    allowsReadScope: false,
    input: { ...contentInput, ...includeJobs },
    run: (_ctx, { content, includeJobs }) =>
      afterTransaction(async (): Promise<CiLintResult> => {
        const parsed = await parseCiConfig(content, async () => undefined, null)
        return toResult(parsed, includeJobs && parsed.config ? describeJobs(parsed.config) : undefined)
      }),
  }),
}
