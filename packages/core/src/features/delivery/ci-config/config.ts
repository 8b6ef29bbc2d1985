import { type ConfigBudget, createConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { type CiInclude, type IncludeContext, resolveIncludes } from './includes.ts'
import { checkJob, checkRoot, rootKeys } from './job-keys.ts'
import { findKeywordsWithoutEffect } from './keywords-without-effect.ts'
import { resolveExtends, resolveReferences } from './merge.ts'
import { type CiNeed, circularNeeds, createJobFinder, haveCycle, readNeeds } from './needs.ts'
import { listOf } from './rules.ts'
import { type Entries, isEntries, maxFileBytes } from './yaml.ts'

/** A visible job of a pipeline file, with its defaults. */
export interface CiJob {
  readonly name: string
  readonly stage: string
  /** Undefined without `needs`: the job waits for all jobs of earlier stages. */
  readonly needs: readonly CiNeed[] | undefined
  readonly keys: Entries
}

export interface CiConfig {
  /** Names in order, with `.pre` and `.post`. */
  readonly stages: readonly string[]
  readonly jobs: readonly CiJob[]
  readonly variables: Entries
  readonly workflow: Entries
}

export interface ParsedConfig {
  /** Undefined if there are errors. */
  readonly config: CiConfig | undefined
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** The file with its included files, without `extends` and references; undefined if they cannot be resolved. */
  readonly merged: Entries | undefined
  readonly includes: readonly CiInclude[]
}

const defaultStages = ['build', 'test', 'deploy']

/** Keys that a job inherits from `default` or, for older files, from the top level. */
const inheritedKeys = [
  ...['after_script', 'artifacts', 'before_script', 'cache', 'hooks', 'id_tokens', 'image', 'interruptible'],
  ...['retry', 'services', 'tags', 'timeout'],
]

/** The number of values in a value. */
const countValues = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, entry) => sum + countValues(entry), 1)
}

/** Returns the keys of a job with those that it inherits. */
const createInheritance = (root: Entries, budget: ConfigBudget) => {
  const older = Object.fromEntries(Object.entries(root).filter(([key]) => Object.hasOwn(rootKeys, key)))
  const defaults: Entries = isEntries(root.default) ? { ...older, ...root.default } : older
  const known = inheritedKeys.filter((key) => Object.hasOwn(defaults, key))
  const values = new Map(known.map((key) => [key, countValues(defaults[key])]))
  return (job: Entries): Entries => {
    const { inherit: rules } = job
    const allowed = isEntries(rules) && rules.default !== undefined ? rules.default : true
    const keys = known.filter((key) => (Array.isArray(allowed) ? allowed.includes(key) : allowed === true))
    for (const key of keys) budget.spend(values.get(key) ?? 0)
    return { ...Object.fromEntries(keys.map((key) => [key, defaults[key]])), ...job }
  }
}

/** The name of the environment of a job, before variables are expanded. */
const environmentNameOf = ({ keys: { environment } }: CiJob) =>
  isEntries(environment) ? environment.name : environment

/** The problems of the job that stops the environment of another one. */
const checkStopJob = (job: CiJob, byName: ReadonlyMap<string, CiJob>): readonly string[] => {
  const { environment } = job.keys
  if (!isEntries(environment) || typeof environment.on_stop !== 'string') return []
  const place = `${job.name} job: on_stop job ${environment.on_stop}`
  const other = byName.get(environment.on_stop)
  if (other === undefined) return [`${place} is not defined`]
  const name = environmentNameOf(other)
  if (name === undefined || name === null) return [`${place} does not have environment defined`]
  if (name !== environment.name) return [`${place} have different environment name`]
  const isStop = isEntries(other.keys.environment) && other.keys.environment.action === 'stop'
  return isStop ? [] : [`${place} needs to have action stop defined`]
}

/** Stages that an error names. */
const maxNamedStages = 100

const checkRelations = (jobs: readonly CiJob[], stages: readonly string[]): readonly string[] => {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const findJob = createJobFinder(byName)
  const positions = new Map(stages.map((stage, at) => [stage, at]))
  const visible = stages.filter((stage) => !['.pre', '.post'].includes(stage))
  const named = [...visible.slice(0, maxNamedStages), ...(visible.length > maxNamedStages ? ['…'] : [])].join(', ')
  const problems: string[] = []
  for (const job of jobs) {
    if (problems.length >= maxProblems) break
    const at = positions.get(job.stage)
    if (at === undefined) {
      problems.push(`${job.name} job: chosen stage does not exist; available stages are .pre, ${named}, .post`)
      continue
    }
    const check = (kind: string, names: readonly string[]) => {
      for (const name of names) {
        const other = findJob(name)
        if (!other) problems.push(`${job.name} job: undefined ${kind}: ${name}`)
        else if ((positions.get(other.stage) ?? 0) > at)
          problems.push(`${job.name} job: ${kind} ${name} is not defined in current or prior stages`)
      }
    }
    const rules = listOf(job.keys.rules).flatMap((rule) => (isEntries(rule) ? (readNeeds(rule.needs) ?? []) : []))
    const needed = [...(job.needs ?? []), ...rules].filter(({ job: name, optional }) => !optional || findJob(name))
    const { dependencies } = job.keys
    check(
      'need',
      needed.map(({ job: name }) => name),
    )
    if (Array.isArray(dependencies)) check('dependency', dependencies.map(String))
    problems.push(...checkStopJob(job, byName))
  }
  if (problems.length) return problems
  const needsOf = jobs.map(({ name, needs = [] }) => [name, needs.map(({ job }) => findJob(job)?.name ?? job)] as const)
  return haveCycle(new Map(needsOf)) ? [circularNeeds] : []
}

interface CheckedConfig {
  readonly config: CiConfig
  readonly errors: readonly string[]
}

/** Job names that are reported are shorter, because each problem of a job repeats them. */
const maxNameLength = 255

/** The problems of jobs, at most about `maxProblems`. */
const checkJobs = (jobs: readonly CiJob[]): readonly string[] => {
  const problems: string[] = []
  for (const { name, keys } of jobs) {
    if (problems.length >= maxProblems) break
    if (name.length > maxNameLength)
      problems.push(`jobs:${name.slice(0, 100)}… name is too long (maximum is ${maxNameLength} characters)`)
    else for (const problem of checkJob(name, keys)) problems.push(problem)
  }
  return problems
}

const readConfig = (root: Entries, budget: ConfigBudget): CheckedConfig => {
  const named = Array.isArray(root.stages) ? root.stages.map(String) : defaultStages
  const stages = ['.pre', ...named.filter((stage) => stage !== '.pre' && stage !== '.post'), '.post']
  const visible = Object.entries(root).filter(([name]) => !name.startsWith('.') && !Object.hasOwn(rootKeys, name))
  const inherit = createInheritance(root, budget)
  const jobs = visible.flatMap(([name, value]): readonly CiJob[] => {
    if (!isEntries(value)) return []
    const keys = inherit(value)
    return [{ name, stage: typeof keys.stage === 'string' ? keys.stage : 'test', needs: readNeeds(keys.needs), keys }]
  })
  const errors = [
    ...checkRoot(root),
    ...visible.flatMap(([name, value]) => (isEntries(value) ? [] : [`jobs:${name} config should be a hash`])),
    ...(visible.length ? [] : ['jobs config should contain at least one visible job']),
    ...checkJobs(jobs),
  ]
  const config = {
    stages,
    jobs,
    variables: isEntries(root.variables) ? root.variables : {},
    workflow: isEntries(root.workflow) ? root.workflow : {},
  }
  return { config, errors: errors.length ? errors : checkRelations(jobs, stages) }
}

/** Problems that are reported, and the characters of each. */
const maxProblems = 100
const maxProblemLength = 1_000

const limitProblems = (problems: readonly string[]): readonly string[] =>
  problems
    .slice(0, maxProblems)
    .map((problem) => (problem.length > maxProblemLength ? `${problem.slice(0, maxProblemLength)}…` : problem))

const findDuplicateRuns = ({ jobs, workflow }: CiConfig): readonly string[] => {
  if (Array.isArray(workflow.rules)) return []
  return jobs
    .filter(({ keys: { rules } }) => {
      const last = Array.isArray(rules) ? rules.flat(10).at(-1) : undefined
      return isEntries(last) && !('if' in last) && !('changes' in last) && !('exists' in last) && last.when !== 'never'
    })
    .map(
      ({ name }) =>
        `jobs:${name} may allow multiple pipelines to run for a single action due to \`rules:when\` clause with no \`workflow:rules\` - read more: https://docs.gitlab.com/ee/ci/troubleshooting.html#pipeline-warnings`,
    )
}

const findWarnings = (config: CiConfig): readonly string[] => [
  ...findDuplicateRuns(config),
  ...findKeywordsWithoutEffect(config),
]

/** Parses and validates a pipeline file with its included files. Nothing is executed. Errors of the reader are not caught. */
export const parseCiConfig = async (text: string, context: Omit<IncludeContext, 'budget'>): Promise<ParsedConfig> => {
  let includes: readonly CiInclude[] = []
  const budget = createConfigBudget()
  try {
    if (text.length > maxFileBytes) throw new CiConfigError('The parsed YAML is too big')
    const included = await resolveIncludes(text, { ...context, budget })
    includes = included.includes
    const merged = resolveReferences(resolveExtends(included.root, budget), budget)
    const { config, errors } = readConfig(merged, budget)
    const isValid = errors.length === 0
    return {
      config: isValid ? config : undefined,
      errors: limitProblems(errors),
      warnings: isValid ? limitProblems(findWarnings(config)) : [],
      merged,
      includes,
    }
  } catch (error) {
    const isTooDeep = error instanceof RangeError
    if (!isTooDeep && !(error instanceof CiConfigError)) throw error
    const problems = isTooDeep ? ['The parsed YAML is too big'] : error.problems
    return { config: undefined, errors: limitProblems(problems), warnings: [], merged: undefined, includes }
  }
}
