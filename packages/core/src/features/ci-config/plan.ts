import type { JobStartCondition, JobTrigger, PipelineJobRecord } from '../pipeline-records/job.ts'
import { environmentActions, environmentTiers } from '../pipeline-records/job-environment.ts'
import { type CancellationPolicy, cancellationPolicies, type PipelineSource } from '../pipeline-records/pipeline.ts'
import { type ConfigBudget, createConfigBudget } from './budget.ts'
import type { CiConfig, CiJob } from './config.ts'
import { CiConfigError, NoJobsError } from './config-error.ts'
import { compileExpression } from './expression.ts'
import { expandParallel, type JobInstance } from './parallel.ts'
import { matchesGlob, matchesReference } from './references.ts'
import { createScope, toVariables, type VariableScope, type Variables } from './variables.ts'
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
  | 'startIn'
  | 'artifactsExpireIn'
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

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flat(10) : [value]
}

const matchesChanges = (changes: unknown, { changedPaths }: PipelineConditions, variables: VariableScope) => {
  const patterns = listOf(isEntries(changes) ? changes.paths : changes).map((path) => variables.expand(String(path)))
  return (
    changedPaths === undefined || changedPaths.some((path) => patterns.some((pattern) => matchesGlob(pattern, path)))
  )
}

const matchesRule = (rule: Entries, conditions: PipelineConditions, variables: VariableScope): boolean =>
  (rule.if === undefined || compileExpression(String(rule.if))(variables.get)) &&
  (rule.changes === undefined || matchesChanges(rule.changes, conditions, variables)) &&
  (rule.exists === undefined ||
    listOf(rule.exists).some((pattern) => conditions.paths.some((path) => matchesGlob(String(pattern), path))))

/** The first rule that matches; undefined if none does. */
const applyRules = (rules: unknown, conditions: PipelineConditions, variables: VariableScope): Outcome | undefined => {
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
const matchesOnly = (policy: unknown, conditions: PipelineConditions, variables: VariableScope): boolean => {
  const parts: Entries = isEntries(policy) ? policy : { refs: policy }
  return (
    (parts.refs === undefined || listOf(parts.refs).some((ref) => matchesReference(String(ref), conditions))) &&
    (parts.variables === undefined ||
      listOf(parts.variables).some((condition) => compileExpression(String(condition))(variables.get))) &&
    (parts.changes === undefined || matchesChanges(parts.changes, conditions, variables)) &&
    parts.kubernetes === undefined
  )
}

const everyReference = ['branches', 'tags']

/** When a job runs in the pipeline; undefined if it is not a part of it. */
const decide = ({ keys }: CiJob, conditions: PipelineConditions, variables: VariableScope): Outcome | undefined => {
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

/** Jobs of one pipeline, as in `pipelines.record`. */
const maxJobs = 1_000

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const environmentOf = (
  { environment }: Entries,
  variables: VariableScope,
): Pick<PlannedJob, 'environment' | 'environmentOptions'> => {
  const options: Entries = isEntries(environment) ? environment : { name: environment }
  if (typeof options.name !== 'string') return { environment: null, environmentOptions: null }
  const expand = (scope: VariableScope, text: string) => scope.expand(text).slice(0, 255)
  const name = expand(variables, options.name)
  if (!isEntries(environment)) return { environment: name, environmentOptions: null }
  // The slug is known only when the environment exists.
  const known = variables.with({ CI_ENVIRONMENT_NAME: name, CI_ENVIRONMENT_SLUG: '$CI_ENVIRONMENT_SLUG' })
  const { action, url, on_stop: onStop, auto_stop_in: autoStopIn, deployment_tier: tier } = options
  const expandedTier = typeof tier === 'string' ? expand(variables, tier) : undefined
  return {
    environment: name,
    environmentOptions: {
      action: environmentActions.find((known) => known === action) ?? 'start',
      url: typeof url === 'string' ? expand(known, url) : null,
      onStop: textOf(onStop),
      autoStopIn: typeof autoStopIn === 'string' ? expand(variables, autoStopIn) : null,
      deploymentTier: environmentTiers.find((known) => known === expandedTier) ?? null,
    },
  }
}

/** The pipeline that a job starts: of another project, or of included files. */
const triggerOf = (
  { trigger }: Entries,
  { scope, passed }: Pick<PlannedInstance, 'scope' | 'passed'>,
  budget: ConfigBudget,
): JobTrigger | null => {
  if (trigger === undefined || trigger === null) return null
  const entries: Entries = isEntries(trigger) ? trigger : { project: trigger }
  const { project, branch, include, strategy } = entries
  const isChild = typeof project !== 'string'
  const text = (value: unknown) => (typeof value === 'string' ? scope.expand(value).slice(0, 1_024) : null)
  // JSON is valid YAML.
  const config = isChild ? JSON.stringify({ include }) : null
  budget.spend(1, config?.length)
  const names = new Set(passed.flatMap((variables) => Object.keys(variables)))
  budget.spend(names.size)
  return {
    project: text(project),
    ref: isChild ? null : text(branch),
    config,
    dependsOnResult: strategy === 'depend' || strategy === 'mirror',
    variables: Object.fromEntries(
      [...names].map((name) => [name, scope.expand(passed.findLast((own) => Object.hasOwn(own, name))?.[name] ?? '')]),
    ),
  }
}

const readCancellation = (entries: Entries | undefined): CancellationPolicy | undefined => {
  const policy = isEntries(entries?.auto_cancel) ? entries.auto_cancel.on_new_commit : undefined
  return cancellationPolicies.find((known) => known === policy)
}

/** An instance of a job that is a part of the pipeline. */
interface PlannedInstance {
  readonly job: CiJob
  readonly name: string
  readonly outcome: Outcome
  readonly scope: VariableScope
  /** Variables of the file, which other pipelines receive; later ones replace earlier ones. */
  readonly passed: readonly Variables[]
}

/** Jobs that one job can need: the default of GitLab. */
const maxNeeds = 50

/** The names of the instances that a job needs; null for all jobs of earlier stages. */
const findNeeds = (job: CiJob, namesOf: ReadonlyMap<string, readonly string[]>): readonly string[] | null => {
  if (job.needs === undefined) return null
  const needs = job.needs.flatMap(({ job: needed, optional }) => {
    const instances = namesOf.get(needed)
    if (instances === undefined && !optional)
      throw new CiConfigError(
        `'${job.name}' job needs '${needed}' job, but '${needed}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`,
      )
    return instances ?? []
  })
  if (needs.length > maxNeeds)
    throw new CiConfigError(
      `${job.name}: one job can only need ${maxNeeds} others, but you have listed ${needs.length}. See needs keyword documentation for more details`,
    )
  return needs
}

const toPlannedJob = (
  { job, name, outcome, scope, passed }: PlannedInstance,
  stageIndex: number,
  needs: readonly string[] | null,
  budget: ConfigBudget,
): PlannedJob => {
  const tags = listOf(job.keys.tags)
  budget.spend(tags.length + 1, name.length)
  return {
    kind: Object.hasOwn(job.keys, 'trigger') ? 'bridge' : 'build',
    name,
    stage: job.stage,
    stageIndex,
    startsWhen: outcome.when as JobStartCondition,
    startIn: outcome.when === 'delayed' ? (textOf(outcome.rule?.start_in) ?? textOf(job.keys.start_in)) : null,
    artifactsExpireIn: isEntries(job.keys.artifacts) ? textOf(job.keys.artifacts.expire_in) : null,
    allowFailure: outcome.allowFailure ?? false,
    interruptible: (outcome.rule?.interruptible ?? job.keys.interruptible) === true,
    needs,
    tags: tags.map((tag) => scope.expand(String(tag))),
    trigger: triggerOf(job.keys, { scope, passed }, budget),
    ...environmentOf(job.keys, scope),
  }
}

/** Characters of the name of a job: as in GitLab. */
const maxNameLength = 255

const tooManyJobs = (count: number) =>
  new CiConfigError(`The pipeline has too many jobs: ${count}, the maximum is ${maxJobs}`)

interface JobSources {
  readonly conditions: PipelineConditions
  /** Variables of the file and of `workflow:rules`. */
  readonly scope: VariableScope
  readonly global: Variables
  readonly budget: ConfigBudget
}

/** The instances of a job that are a part of the pipeline: each one decides with its own variables. */
const planInstances = (job: CiJob, instances: readonly JobInstance[], sources: JobSources): PlannedInstance[] => {
  const { conditions, scope, global, budget } = sources
  const own = toVariables(job.keys.variables)
  budget.spend(Object.keys(own).length)
  return instances.flatMap(({ name, variables, position }): PlannedInstance[] => {
    if (name.length > maxNameLength)
      throw new CiConfigError(`jobs:${name.slice(0, 100)}… name is too long (maximum is ${maxNameLength} characters)`)
    const instance = scope.with(own).with(position).with(variables).with(conditions.variables)
    const outcome = decide(job, conditions, instance)
    if (outcome === undefined || outcome.when === 'never') return []
    const ruled = toVariables(outcome.variables)
    budget.spend(Object.keys(ruled).length + Object.keys(variables).length)
    return [{ job, name, outcome, scope: instance.with(ruled), passed: [global, own, variables, ruled] }]
  })
}

/**
 * The jobs of a new pipeline in the order of their stages.
 *
 * @throws CiConfigError if the rules leave no job, or leave out one that another job needs, or there is too much of something
 */
export const planPipeline = (config: CiConfig, conditions: PipelineConditions): Plan => {
  const { workflow, stages } = config
  const budget = createConfigBudget()
  const file = toVariables(config.variables)
  const global = createScope([file, conditions.variables], budget)
  const outcome = workflow.rules === undefined ? undefined : applyRules(workflow.rules, conditions, global)
  if (workflow.rules !== undefined && (outcome === undefined || outcome.when === 'never'))
    throw new NoJobsError('Pipeline filtered out by workflow rules.')
  const ruled = toVariables(outcome?.variables)

  const sources: JobSources = { conditions, scope: createScope([file, ruled], budget), global: file, budget }
  const planned: PlannedInstance[] = []
  const namesOf = new Map<string, readonly string[]>()
  for (const job of config.jobs) {
    const instances = planInstances(job, expandParallel(job.name, job.keys.parallel), sources)
    if (instances.length)
      namesOf.set(
        job.name,
        instances.map(({ name }) => name),
      )
    planned.push(...instances)
    if (planned.length > maxJobs) throw tooManyJobs(planned.length)
  }
  const stageIndexes = new Map(stages.map((stage, at) => [stage, at]))
  const needsOf = new Map(config.jobs.map((job) => [job, undefined as readonly string[] | null | undefined]))
  const jobs = planned
    .map((instance) => {
      const { job } = instance
      const needs = needsOf.get(job) ?? findNeeds(job, namesOf)
      needsOf.set(job, needs)
      return toPlannedJob(instance, stageIndexes.get(job.stage) ?? -1, needs, budget)
    })
    .toSorted((a, b) => a.stageIndex - b.stageIndex)
  // Stages that only GitLab defines are not a reason for a pipeline.
  if (jobs.every(({ stage }) => stage === '.pre' || stage === '.post'))
    throw new NoJobsError('No stages / jobs for this pipeline.')
  const scope = createScope([file, ruled, conditions.variables], budget)
  const name = typeof workflow.name === 'string' ? scope.expand(workflow.name).trim().slice(0, 255) : ''
  const onNewCommit = readCancellation(outcome?.rule) ?? readCancellation(workflow)
  return { name: name || null, onNewCommit: onNewCommit ?? null, jobs }
}
