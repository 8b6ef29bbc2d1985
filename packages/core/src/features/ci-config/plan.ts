import type { JobStartCondition, JobTrigger, PipelineJobRecord } from '../pipeline-records/job.ts'
import { environmentActions, environmentTiers } from '../pipeline-records/job-environment.ts'
import { type CancellationPolicy, cancellationPolicies, type PipelineSource } from '../pipeline-records/pipeline.ts'
import type { CiConfig, CiJob } from './config.ts'
import { CiConfigError, NoJobsError } from './config-error.ts'
import { compileExpression, expandVariables, type Variables } from './expression.ts'
import { matchesGlob, matchesReference } from './references.ts'
import { type Entries, isEntries } from './yaml.ts'

/** What the rules of a pipeline file depend on. */
export interface PipelineConditions {
  /** Name of the branch or tag. */
  readonly ref: string
  readonly isTag: boolean
  readonly source: PipelineSource
  /** Predefined variables, those of the project, and those of the pipeline. They replace those of the file. */
  readonly variables: Variables
  /** Paths that the pipeline's commits change; undefined if unknown: every path counts as changed. */
  readonly changedPaths: readonly string[] | undefined
  /** All paths of the commit. */
  readonly paths: readonly string[]
}

/** A job of a new pipeline. */
export type PlannedJob = Pick<
  PipelineJobRecord,
  | 'kind'
  | 'name'
  | 'stage'
  | 'stageIndex'
  | 'startsWhen'
  | 'allowFailure'
  | 'interruptible'
  | 'needs'
  | 'tags'
  | 'trigger'
  | 'environment'
  | 'environmentOptions'
>

export interface Plan {
  /** Name of the pipeline; null without `workflow:name`. */
  readonly name: string | null
  /** `workflow:auto_cancel:on_new_commit`; null without it. */
  readonly onNewCommit: CancellationPolicy | null
  readonly jobs: readonly PlannedJob[]
}

interface Outcome {
  readonly when: string
  readonly allowFailure: boolean | undefined
  readonly variables: Entries
  /** The rule that matched. */
  readonly rule?: Entries
}

const toVariables = (entries: unknown): Variables => {
  if (!isEntries(entries)) return {}
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, String(isEntries(value) ? (value.value ?? '') : value)]),
  )
}

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flat(10) : [value]
}

const matchesChanges = (changes: unknown, { changedPaths, variables }: PipelineConditions) => {
  const patterns = listOf(isEntries(changes) ? changes.paths : changes).map((path) =>
    expandVariables(String(path), variables),
  )
  return (
    changedPaths === undefined || changedPaths.some((path) => patterns.some((pattern) => matchesGlob(pattern, path)))
  )
}

const matchesRule = (rule: Entries, conditions: PipelineConditions, variables: Variables): boolean =>
  (rule.if === undefined || compileExpression(String(rule.if))(variables)) &&
  (rule.changes === undefined || matchesChanges(rule.changes, conditions)) &&
  (rule.exists === undefined ||
    listOf(rule.exists).some((pattern) => conditions.paths.some((path) => matchesGlob(String(pattern), path))))

/** The first rule that matches; undefined if none does. */
const applyRules = (rules: unknown, conditions: PipelineConditions, variables: Variables): Outcome | undefined => {
  const rule = listOf(rules).find((entry) => isEntries(entry) && matchesRule(entry, conditions, variables)) as
    | Entries
    | undefined
  if (rule === undefined) return undefined
  return {
    when: typeof rule.when === 'string' ? rule.when : '',
    allowFailure: typeof rule.allow_failure === 'boolean' ? rule.allow_failure : undefined,
    variables: isEntries(rule.variables) ? rule.variables : {},
    rule,
  }
}

/** Whether `only` or `except` names the pipeline. */
const matchesOnly = (policy: unknown, conditions: PipelineConditions, variables: Variables): boolean => {
  const parts: Entries = isEntries(policy) ? policy : { refs: policy }
  return (
    (parts.refs === undefined || listOf(parts.refs).some((ref) => matchesReference(String(ref), conditions))) &&
    (parts.variables === undefined ||
      listOf(parts.variables).some((condition) => compileExpression(String(condition))(variables))) &&
    (parts.changes === undefined || matchesChanges(parts.changes, conditions)) &&
    parts.kubernetes === undefined
  )
}

const everyReference = ['branches', 'tags']

/** When a job runs in the pipeline; undefined if it is not a part of it. */
const decide = ({ keys }: CiJob, conditions: PipelineConditions, variables: Variables): Outcome | undefined => {
  const when = typeof keys.when === 'string' ? keys.when : 'on_success'
  const allowFailure =
    typeof keys.allow_failure === 'boolean' ? keys.allow_failure : isEntries(keys.allow_failure) ? false : undefined
  if (keys.rules !== undefined && keys.rules !== null) {
    const outcome = applyRules(keys.rules, conditions, variables)
    if (outcome === undefined) return undefined
    return {
      ...outcome,
      when: outcome.when || when,
      // Unlike without rules, a manual job blocks the pipeline.
      allowFailure: outcome.allowFailure ?? allowFailure ?? false,
    }
  }
  if (!matchesOnly(keys.only ?? everyReference, conditions, variables)) return undefined
  if (keys.except !== undefined && matchesOnly(keys.except, conditions, variables)) return undefined
  return { when, allowFailure: allowFailure ?? when === 'manual', variables: {} }
}

/** The names of the instances of a job: `test 1/3`, or `deploy: [aws, eu]`. */
const expandParallel = (name: string, parallel: unknown): readonly string[] => {
  if (typeof parallel === 'number') return Array.from({ length: parallel }, (_, at) => `${name} ${at + 1}/${parallel}`)
  if (!isEntries(parallel)) return [name]
  const names = listOf(parallel.matrix).flatMap((part) =>
    Object.values(part as Entries)
      .map((values) => listOf(values).map(String))
      .reduce<readonly string[][]>(
        (combined, values) => combined.flatMap((before) => values.map((value) => [...before, value])),
        [[]],
      )
      .map((values) => `${name}: [${values.join(', ')}]`),
  )
  if (names.length > maxInstances)
    throw new CiConfigError(`jobs:${name}:parallel config generates too many jobs (maximum is ${maxInstances})`)
  return names
}

const maxInstances = 200

/** Jobs of one pipeline, as in `pipelines.record`. */
const maxJobs = 1_000

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const environmentOf = (
  { environment }: Entries,
  variables: Variables,
): Pick<PlannedJob, 'environment' | 'environmentOptions'> => {
  const options: Entries = isEntries(environment) ? environment : { name: environment }
  if (typeof options.name !== 'string') return { environment: null, environmentOptions: null }
  const name = expandVariables(options.name, variables).slice(0, 255)
  if (!isEntries(environment)) return { environment: name, environmentOptions: null }
  // The slug is known only when the environment exists.
  const known = { ...variables, CI_ENVIRONMENT_NAME: name, CI_ENVIRONMENT_SLUG: '$CI_ENVIRONMENT_SLUG' }
  const { action, url, on_stop: onStop, auto_stop_in: autoStopIn, deployment_tier: tier } = options
  return {
    environment: name,
    environmentOptions: {
      action: environmentActions.find((known) => known === action) ?? 'start',
      url: typeof url === 'string' ? expandVariables(url, known).slice(0, 255) : null,
      onStop: textOf(onStop),
      autoStopIn: typeof autoStopIn === 'string' ? expandVariables(autoStopIn, variables).slice(0, 255) : null,
      deploymentTier:
        typeof tier === 'string'
          ? (environmentTiers.find((known) => known === expandVariables(tier, variables)) ?? null)
          : null,
    },
  }
}

const expandAll = (passed: Variables, variables: Variables): Variables =>
  Object.fromEntries(Object.entries(passed).map(([name, value]) => [name, expandVariables(value, variables)]))

/** The pipeline that a job starts: of another project, or of included files. */
const triggerOf = ({ trigger }: Entries, variables: Variables, passed: Variables): JobTrigger | null => {
  if (trigger === undefined || trigger === null) return null
  const entries: Entries = isEntries(trigger) ? trigger : { project: trigger }
  const { project, branch, include, strategy } = entries
  const isChild = typeof project !== 'string'
  const text = (value: unknown) =>
    typeof value === 'string' ? expandVariables(value, variables).slice(0, 1_024) : null
  return {
    project: text(project),
    ref: isChild ? null : text(branch),
    // JSON is valid YAML.
    config: isChild ? JSON.stringify({ include }) : null,
    dependsOnResult: strategy === 'depend' || strategy === 'mirror',
    variables: expandAll(passed, variables),
  }
}

const readCancellation = (entries: Entries | undefined): CancellationPolicy | undefined => {
  const policy = isEntries(entries?.auto_cancel) ? entries.auto_cancel.on_new_commit : undefined
  return cancellationPolicies.find((known) => known === policy)
}

interface Included {
  readonly job: CiJob
  readonly outcome: Outcome
  readonly names: readonly string[]
  readonly variables: Variables
  /** Variables of the file, which other pipelines receive. */
  readonly passed: Variables
}

const toPlannedJobs = (
  { job, outcome, names, variables, passed }: Included,
  stages: readonly string[],
  namesOf: ReadonlyMap<string, readonly string[]>,
): readonly PlannedJob[] => {
  const needs = job.needs?.flatMap(({ job: needed, optional }) => {
    const instances = namesOf.get(needed)
    if (instances === undefined && !optional)
      throw new CiConfigError(
        `'${job.name}' job needs '${needed}' job, but '${needed}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`,
      )
    return instances ?? []
  })
  return names.map((name) => ({
    kind: Object.hasOwn(job.keys, 'trigger') ? 'bridge' : 'build',
    name,
    stage: job.stage,
    stageIndex: stages.indexOf(job.stage),
    startsWhen: outcome.when as JobStartCondition,
    allowFailure: outcome.allowFailure ?? false,
    interruptible: (outcome.rule?.interruptible ?? job.keys.interruptible) === true,
    needs: needs ?? null,
    tags: listOf(job.keys.tags).map(String),
    trigger: triggerOf(job.keys, variables, passed),
    ...environmentOf(job.keys, variables),
  }))
}

/**
 * The jobs of a new pipeline in the order of their stages.
 *
 * @throws CiConfigError if the rules leave no job, or leave out one that another job needs
 */
export const planPipeline = (config: CiConfig, conditions: PipelineConditions): Plan => {
  const { workflow, stages } = config
  const global = { ...toVariables(config.variables), ...conditions.variables }
  const outcome = workflow.rules === undefined ? undefined : applyRules(workflow.rules, conditions, global)
  if (workflow.rules !== undefined && (outcome === undefined || outcome.when === 'never'))
    throw new NoJobsError('Pipeline filtered out by workflow rules.')
  const variables = { ...toVariables(config.variables), ...toVariables(outcome?.variables), ...conditions.variables }

  const included = config.jobs.flatMap((job): readonly Included[] => {
    const own = { ...variables, ...toVariables(job.keys.variables), ...conditions.variables }
    const decision = decide(job, conditions, own)
    if (decision === undefined || decision.when === 'never') return []
    const names = expandParallel(job.name, job.keys.parallel)
    const ruled = toVariables(decision.variables)
    const passed = { ...toVariables(config.variables), ...toVariables(job.keys.variables), ...ruled }
    return [{ job, outcome: decision, names, variables: { ...own, ...ruled }, passed }]
  })
  const namesOf = new Map(included.map(({ job, names }) => [job.name, names]))
  const jobs = included
    .flatMap((entry) => toPlannedJobs(entry, stages, namesOf))
    .toSorted((a, b) => a.stageIndex - b.stageIndex)
  // Stages that only GitLab defines are not a reason for a pipeline.
  if (jobs.every(({ stage }) => stage === '.pre' || stage === '.post'))
    throw new NoJobsError('No stages / jobs for this pipeline.')
  if (jobs.length > maxJobs)
    throw new CiConfigError(`The pipeline has too many jobs: ${jobs.length}, the maximum is ${maxJobs}`)
  const name = typeof workflow.name === 'string' ? expandVariables(workflow.name, variables).trim().slice(0, 255) : ''
  const onNewCommit = readCancellation(outcome?.rule) ?? readCancellation(workflow)
  return { name: name || null, onNewCommit: onNewCommit ?? null, jobs }
}
