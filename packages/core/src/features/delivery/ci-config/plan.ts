import type { JobStartCondition, JobTrigger, PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { JobDefinition } from '../../code/pipeline-records/job-definition.ts'
import { environmentActions, environmentTiers } from '../../code/pipeline-records/job-environment.ts'
import {
  type CancellationPolicy,
  cancellationPolicies,
  type PipelineSource,
} from '../../code/pipeline-records/pipeline.ts'
import { type ConfigBudget, createConfigBudget } from './budget.ts'
import type { CiConfig, CiJob } from './config.ts'
import { CiConfigError, NoJobsError } from './config-error.ts'
import { circularNeeds, haveCycle, readNeeds, resolveNeeds } from './needs.ts'
import { expandParallel } from './parallel.ts'
import { matchesReference } from './references.ts'
import type { RepositoryReader } from './repository-reader.ts'
import { findRule, isMissing, isTrue, listOf, matchesChanges, type RuleContext } from './rules.ts'
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
  /** Variables of the pipeline itself, which are among `variables`. */
  readonly given: Variables
  /** Names of the masked ones among `variables`. */
  readonly masked: readonly string[]
  /** Values for the inputs that the file declares. */
  readonly inputs: Entries
}

/** A job of a new pipeline. */
export interface PlannedJob extends PlannedFields {
  /** What a runner executes; null for a job that starts a pipeline. */
  readonly definition: JobDefinition | null
}

type PlannedFields = Pick<
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

/** What decides about the jobs of a pipeline. */
type JobContext = RuleContext & {
  readonly conditions: PipelineConditions
  /** Whether the workflow decides which pipelines exist: then jobs without conditions are in all of them. */
  readonly hasWorkflowRules: boolean
}

/** The first rule that matches; undefined if none does. */
const applyRules = async (rules: unknown, context: RuleContext): Promise<Outcome | undefined> => {
  const rule = await findRule(rules, context)
  if (rule === undefined) return undefined
  return {
    when: typeof rule.when === 'string' ? rule.when : '',
    allowFailure: typeof rule.allow_failure === 'boolean' ? rule.allow_failure : undefined,
    variables: isEntries(rule.variables) ? rule.variables : {},
    rule,
  }
}

/** Whether each part of `only` or `except` names the pipeline. There are no clusters, which `kubernetes` requires. */
const matchParts = (policy: unknown, context: JobContext, defaults: Entries = {}): readonly Promise<boolean>[] => {
  const parts: Entries = { ...defaults, ...(isEntries(policy) ? policy : { refs: policy }) }
  const { conditions } = context
  const reference = { ...conditions, projectPath: conditions.variables.CI_PROJECT_PATH }
  const matches: Readonly<Record<string, (part: unknown) => Promise<boolean>>> = {
    refs: async (refs) => listOf(refs).some((ref) => matchesReference(String(ref), reference)),
    variables: async (conditions) => listOf(conditions).some((condition) => isTrue(condition, context)),
    changes: (changes) => matchesChanges(changes, context),
    kubernetes: async () => false,
  }
  return Object.entries(matches).flatMap(([key, match]) => (parts[key] === undefined ? [] : [match(parts[key])]))
}

/** `only` requires all of its parts, `except` one of them. */
const isSelected = async ({ only, except }: Entries, context: JobContext): Promise<boolean> => {
  const isFree = isMissing(only) && context.hasWorkflowRules
  // A mapping without `refs` has the default ones, too.
  const required = isFree ? [] : await Promise.all(matchParts(only ?? {}, context, { refs: everyReference }))
  if (!required.every(Boolean)) return false
  const excluding = isMissing(except) ? [] : await Promise.all(matchParts(except, context))
  return !excluding.some(Boolean)
}

const everyReference = ['branches', 'tags']

/** When a job runs in the pipeline; undefined if it is not a part of it. */
const decide = async ({ keys }: CiJob, context: JobContext): Promise<Outcome | undefined> => {
  const when = typeof keys.when === 'string' ? keys.when : 'on_success'
  const allowFailure =
    typeof keys.allow_failure === 'boolean' ? keys.allow_failure : isEntries(keys.allow_failure) ? false : undefined
  if (!isMissing(keys.rules)) {
    const outcome = await applyRules(keys.rules, context)
    if (outcome === undefined) return undefined
    return {
      ...outcome,
      when: outcome.when || when,
      // Unlike without rules, a manual job blocks the pipeline.
      allowFailure: outcome.allowFailure ?? allowFailure ?? false,
    }
  }
  if (!(await isSelected(keys, context))) return undefined
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
  { scope, passed: own }: Pick<PlannedInstance, 'scope' | 'passed'>,
  givenVariables: Variables,
  budget: ConfigBudget,
): JobTrigger | null => {
  if (trigger === undefined || trigger === null) return null
  const entries: Entries = isEntries(trigger) ? trigger : { project: trigger }
  const { project, branch, include, strategy, inputs } = entries
  const forward: Entries = isEntries(entries.forward) ? entries.forward : {}
  const passed = [
    ...(forward.yaml_variables === false ? [] : own),
    ...(forward.pipeline_variables === true ? [givenVariables] : []),
  ]
  const isChild = typeof project !== 'string'
  const text = (value: unknown) => (typeof value === 'string' ? scope.expand(value).slice(0, 1_024) : null)
  // JSON is valid YAML.
  const config = isChild ? JSON.stringify({ include }) : null
  const given = !isChild && isEntries(inputs) ? JSON.stringify(inputs) : null
  budget.spend(1, (config ?? given)?.length)
  const names = new Set(passed.flatMap((variables) => Object.keys(variables)))
  budget.spend(names.size)
  return {
    project: text(project),
    ref: isChild ? null : text(branch),
    config,
    dependsOnResult: strategy === 'depend' || strategy === 'mirror',
    inputs: given,
    variables: Object.fromEntries(
      [...names].map((name) => [
        name,
        scope.expand(passed.findLast((layer) => Object.hasOwn(layer, name))?.[name] ?? ''),
      ]),
    ),
  }
}

/** The keys that a runner reads. */
const executedKeys = [
  ...['script', 'before_script', 'after_script', 'image', 'services', 'artifacts', 'cache', 'dependencies', 'timeout'],
]

/** What a runner executes. Its size counts: many instances of a job can have a long script. */
const defineJob = ({ job: { keys }, passed }: PlannedInstance, budget: ConfigBudget): JobDefinition | null => {
  if (Object.hasOwn(keys, 'trigger')) return null
  const definition = {
    keys: Object.fromEntries(executedKeys.flatMap((key) => (isMissing(keys[key]) ? [] : [[key, keys[key]]]))),
    variables: Object.assign({}, ...passed),
  }
  budget.spend(1, JSON.stringify(definition).length)
  return definition
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

const toPlannedJob = (
  instance: PlannedInstance,
  stageIndex: number,
  needs: readonly string[] | null,
  { conditions, budget }: JobSources,
): PlannedJob => {
  const { job, name, outcome, scope, passed } = instance
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
    trigger: triggerOf(job.keys, { scope, passed }, conditions.given, budget),
    definition: defineJob(instance, budget),
    ...environmentOf(job.keys, scope),
  }
}

/** Characters of the name of a job: as in GitLab. */
const maxNameLength = 255

const tooManyJobs = (count: number) =>
  new CiConfigError(`The pipeline has too many jobs: ${count}, the maximum is ${maxJobs}`)

interface JobSources extends Pick<JobContext, 'conditions' | 'hasWorkflowRules' | 'reader'> {
  /** Variables of `workflow:rules`. */
  readonly ruled: Variables
  /** Variables of the file. */
  readonly file: Variables
  readonly budget: ConfigBudget
}

/** The variables of the file that a job inherits: `inherit:variables`. */
const inheritVariables = ({ inherit }: Entries, file: Variables): Variables => {
  const rule = isEntries(inherit) ? inherit.variables : true
  if (rule === false) return {}
  return Array.isArray(rule) ? Object.fromEntries(Object.entries(file).filter(([name]) => rule.includes(name))) : file
}

/** The instances of a job that are a part of the pipeline: each one decides with its own variables. */
const planInstances = async (job: CiJob, sources: JobSources): Promise<readonly PlannedInstance[]> => {
  const { conditions, hasWorkflowRules, reader, budget } = sources
  const shared = { conditions, hasWorkflowRules, reader, source: {} }
  const file = inheritVariables(job.keys, sources.file)
  const scope = createScope([file, sources.ruled], budget)
  const own = toVariables(job.keys.variables)
  budget.spend(Object.keys(own).length)
  const planned: PlannedInstance[] = []
  for (const { name, variables, position } of expandParallel(job.name, job.keys.parallel)) {
    if (name.length > maxNameLength)
      throw new CiConfigError(`jobs:${name.slice(0, 100)}… name is too long (maximum is ${maxNameLength} characters)`)
    const instance = scope.with(own).with(position).with(variables).with(conditions.variables)
    const outcome = await decide(job, { ...shared, variables: instance, place: name })
    if (outcome === undefined || outcome.when === 'never') continue
    const ruled = toVariables(outcome.variables)
    budget.spend(Object.keys(ruled).length + Object.keys(variables).length)
    planned.push({ job, name, outcome, scope: instance.with(ruled), passed: [file, own, variables, ruled] })
  }
  return planned
}

/** All instances of the pipeline, with the names of those of each job. */
const planJobs = async (config: CiConfig, sources: JobSources) => {
  const planned: PlannedInstance[] = []
  const namesOf = new Map<string, readonly string[]>()
  for (const job of config.jobs) {
    const instances = await planInstances(job, sources)
    const names = instances.map(({ name }) => name)
    for (const name of names) namesOf.set(name, [name])
    if (names.length) namesOf.set(job.name, names)
    planned.push(...instances)
    if (planned.length > maxJobs) throw tooManyJobs(planned.length)
  }
  return { planned, namesOf }
}

/** The needs of the instances; the rule that matched can replace those of the job. */
const createNeedsReader = (namesOf: ReadonlyMap<string, readonly string[]>) => {
  const known = new Map<unknown, readonly string[] | null>()
  return ({ job, outcome: { rule } }: PlannedInstance): readonly string[] | null => {
    const isReplaced = !isMissing(rule?.needs)
    const key = isReplaced ? rule : job
    const found = known.get(key)
    if (found !== undefined) return found
    const needs = resolveNeeds(job.name, isReplaced ? readNeeds(rule?.needs) : job.needs, (name) => namesOf.get(name))
    known.set(key, needs)
    return needs
  }
}

/**
 * The jobs of a new pipeline in the order of their stages.
 *
 * @throws CiConfigError if the rules leave no job, or leave out one that another job needs, or there is too much of something
 */
export const planPipeline = async (
  config: CiConfig,
  conditions: PipelineConditions,
  reader: RepositoryReader,
): Promise<Plan> => {
  const { workflow, stages } = config
  const budget = createConfigBudget()
  const file = toVariables(config.variables)
  const variables = createScope([file, conditions.variables], budget)
  const rules = { variables, reader, source: {}, place: 'workflow' }
  const outcome = isMissing(workflow.rules) ? undefined : await applyRules(workflow.rules, rules)
  if (!isMissing(workflow.rules) && (outcome === undefined || outcome.when === 'never'))
    throw new NoJobsError('Pipeline filtered out by workflow rules.')
  const ruled = toVariables(outcome?.variables)

  const hasWorkflowRules = !isMissing(workflow.rules)
  const sources: JobSources = { conditions, hasWorkflowRules, reader, ruled, file, budget }
  const { planned, namesOf } = await planJobs(config, sources)
  const stageIndexes = new Map(stages.map((stage, at) => [stage, at]))
  const needsOf = createNeedsReader(namesOf)
  const jobs = planned
    .map((instance) => toPlannedJob(instance, stageIndexes.get(instance.job.stage) ?? -1, needsOf(instance), sources))
    .toSorted((a, b) => a.stageIndex - b.stageIndex)
  // The needs of rules can form cycles that those of jobs do not have.
  if (haveCycle(new Map(jobs.map(({ name, needs }) => [name, needs ?? []])))) throw new CiConfigError(circularNeeds)
  // Stages that only GitLab defines are not a reason for a pipeline.
  if (jobs.every(({ stage }) => stage === '.pre' || stage === '.post'))
    throw new NoJobsError('No stages / jobs for this pipeline.')
  const scope = createScope([file, ruled, conditions.variables], budget)
  const name = typeof workflow.name === 'string' ? scope.expand(workflow.name).trim().slice(0, 255) : ''
  const onNewCommit = readCancellation(outcome?.rule) ?? readCancellation(workflow)
  return { name: name || null, onNewCommit: onNewCommit ?? null, jobs }
}
