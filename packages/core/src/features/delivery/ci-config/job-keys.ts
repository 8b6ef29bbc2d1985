import { defined } from '../../../shared/defined.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import { environmentActions, environmentTiers } from '../../code/pipeline-records/job-environment.ts'
import { compileExpression } from './expression.ts'
import { countRows, maxInstances } from './parallel.ts'
import { listOf } from './rules.ts'
import { type Entries, isEntries } from './yaml.ts'

/** Returns the problem of a value, as the end of a sentence that begins with the key; undefined for a valid one. */
type Check = (value: unknown) => string | undefined

const isText = (value: unknown): value is string => typeof value === 'string'
const isScalar = (value: unknown) => isText(value) || typeof value === 'number' || typeof value === 'boolean'

const expecting =
  (isValid: (value: unknown) => boolean, expected: string): Check =>
  (value) =>
    isValid(value) ? undefined : `config should be ${expected}`

const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `should be one of: ${values.join(', ')}`

const nestedTexts = (value: unknown, depth = 10): boolean =>
  isText(value) || (Array.isArray(value) && depth > 0 && value.every((item) => nestedTexts(item, depth - 1)))

const text = expecting(isText, 'a string')
const script = expecting(
  (value) => nestedTexts(value) && value !== '',
  'a string or a nested array of strings up to 10 levels deep',
)
const flag = expecting((value) => typeof value === 'boolean', 'a boolean value')
const texts = expecting((value) => Array.isArray(value) && value.every(isText), 'an array of strings')
const entries = expecting(isEntries, 'a hash')
const textOrEntries = expecting((value) => isText(value) || isEntries(value), 'a hash or a string')
const anything: Check = () => undefined

const isVariable = (value: unknown) =>
  isScalar(value) ||
  (isEntries(value) && Object.entries(value).every(([key, part]) => key === 'options' || isScalar(part)))

const variables = expecting(
  (value) => isEntries(value) && Object.values(value).every(isVariable),
  'a hash of key value pairs, value can be a hash',
)

const startConditions = ['on_success', 'on_failure', 'always', 'manual', 'delayed']

const isExpression = (value: unknown) => {
  if (!isText(value)) return false
  try {
    compileExpression(value)
    return true
  } catch {
    return false
  }
}

/** Seconds of a week, the longest delay of GitLab. */
const maxDelay = 604_800

const startIn: Check = (value) => {
  const seconds = isText(value) ? parseHumanDuration(value) : undefined
  if (seconds === undefined) return 'should be a duration'
  return seconds > maxDelay ? 'should not exceed the limit of one week' : undefined
}

/** Seconds of the key `timeout` of a job; undefined without a duration. */
export const readTimeoutKey = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : isText(value) ? parseHumanDuration(value) : undefined

const artifacts: Check = (value) => {
  if (!isEntries(value)) return 'config should be a hash'
  const { expire_in: expireIn } = value
  const isValid = expireIn === undefined || expireIn === null || (isText(expireIn) && isDuration(expireIn))
  return isValid ? undefined : 'expire in should be a duration'
}

const allowFailure = expecting(
  (value) => typeof value === 'boolean' || (isEntries(value) && Object.hasOwn(value, 'exit_codes')),
  'a hash or a boolean value',
)

/** Patterns of one rule: as in GitLab. */
const maxPatterns = 50

/** `changes` or `exists`: paths, alone or beside texts that say which commit is compared or searched. */
const pathRule =
  (keys: readonly string[], expected: string): Check =>
  (value) => {
    const { paths, ...others }: Entries = isEntries(value) ? value : { paths: value }
    const isValid =
      Array.isArray(paths) &&
      nestedTexts(paths) &&
      Object.entries(others).every(([key, part]) => keys.includes(key) && isText(part))
    if (!isValid) return `config should be ${expected}`
    if (Object.hasOwn(others, 'ref') && !Object.hasOwn(others, 'project')) return 'config ref needs a project'
    return paths.flat(10).length > maxPatterns ? `config has too many entries (maximum ${maxPatterns})` : undefined
  }

const isCount = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxInstances

const isMatrix = (value: unknown) =>
  isEntries(value) &&
  Array.isArray(value.matrix) &&
  value.matrix.length > 0 &&
  value.matrix.every(
    (part) =>
      isEntries(part) &&
      Object.values(part).every(
        (values) => isScalar(values) || (Array.isArray(values) && values.length > 0 && values.every(isScalar)),
      ),
  )

const parallel: Check = (value) => {
  if (!isCount(value) && !isMatrix(value))
    return `config should be an integer from 1 to ${maxInstances} or a hash with matrix`
  const rows = isEntries(value) && Array.isArray(value.matrix) ? countRows(value.matrix) : 1
  return rows > maxInstances ? `config generates too many jobs (maximum is ${maxInstances})` : undefined
}

const needs: Check = (value) => {
  if (!Array.isArray(value) && !isEntries(value)) return 'config should be an array or a hash'
  const selections = listOf(value).flatMap((need) => (isEntries(need) && need.parallel ? [need.parallel] : []))
  return selections.map(parallel).find((problem) => problem !== undefined)
}

const ruleKeys: Readonly<Record<string, Check>> = {
  if: expecting(isExpression, 'a valid expression: invalid expression syntax'),
  changes: pathRule(['compare_to'], 'an array of strings or a hash with paths and compare_to'),
  exists: pathRule(['project', 'ref'], 'an array of strings or a hash with paths, project and ref'),
  when: oneOf([...startConditions, 'never']),
  start_in: startIn,
  allow_failure: allowFailure,
  variables,
  needs,
  interruptible: flag,
  auto_cancel: entries,
}

/** The problems of the keys of a mapping; `place` is its path: `jobs:build`. */
const checkKeys = (place: string, value: Entries, checks: Readonly<Record<string, Check>>): readonly string[] => {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(checks, key))
  return [
    ...(unknown.length ? [`${place} config contains unknown keys: ${unknown.join(', ')}`] : []),
    ...Object.entries(value).flatMap(([key, entry]) => {
      const problem = entry === null || !Object.hasOwn(checks, key) ? undefined : checks[key]?.(entry)
      return problem === undefined ? [] : [`${place}:${key} ${problem}`]
    }),
  ]
}

const includeRuleKeys: Readonly<Record<string, Check>> = {
  if: defined(ruleKeys.if),
  changes: defined(ruleKeys.changes),
  exists: defined(ruleKeys.exists),
  when: oneOf(['always', 'never']),
}

/** The problems of the rules of a job, of the workflow or of an included file. */
const checkRules = (place: string, rules: unknown, keys = ruleKeys): readonly string[] => {
  if (rules === undefined || rules === null) return []
  if (!Array.isArray(rules)) return [`${place}:rules config should be an array of hashes`]
  // Rules from `!reference` may be lists in the list.
  return rules
    .flat(10)
    .flatMap((rule, at) =>
      isEntries(rule)
        ? checkKeys(`${place}:rules:rule[${at}]`, rule, keys)
        : [`${place}:rules:rule[${at}] config should be a hash`],
    )
}

/** The problems of the rules that decide whether a file is included. */
export const checkIncludeRules = (rules: unknown): readonly string[] => checkRules('include', rules, includeRuleKeys)

const references = expecting(
  (value) =>
    (Array.isArray(value) && value.every(isText)) ||
    isText(value) ||
    (isEntries(value) &&
      Object.entries(value).every(([key, part]) =>
        key === 'variables'
          ? Array.isArray(value.variables) && value.variables.every(isExpression)
          : ['refs', 'changes', 'kubernetes'].includes(key) && (isText(part) || Array.isArray(part)),
      )),
  'either an array of strings or a hash with refs, variables, changes or kubernetes',
)

const jobKeys: Readonly<Record<string, Check>> = {
  script,
  before_script: script,
  after_script: script,
  run: anything,
  stage: text,
  extends: anything,
  when: oneOf([...startConditions, 'never']),
  start_in: startIn,
  allow_failure: allowFailure,
  only: references,
  except: references,
  rules: anything,
  needs,
  dependencies: texts,
  variables,
  tags: texts,
  environment: textOrEntries,
  trigger: textOrEntries,
  parallel,
  image: textOrEntries,
  services: expecting(Array.isArray, 'an array'),
  artifacts,
  cache: expecting((value) => isEntries(value) || Array.isArray(value), 'a hash or an array of hashes'),
  coverage: expecting((value) => isText(value) && /^\/.*\/$/.test(value), 'a regular expression'),
  retry: expecting(
    (value) => isEntries(value) || [0, 1, 2].includes(value as number),
    'an integer from 0 to 2 or a hash',
  ),
  timeout: expecting((value) => isText(value) || typeof value === 'number', 'a duration'),
  interruptible: flag,
  resource_group: text,
  release: entries,
  secrets: entries,
  id_tokens: entries,
  inherit: entries,
  hooks: entries,
  pages: anything,
  publish: text,
  dast_configuration: entries,
  manual_confirmation: text,
  identity: text,
}

const environmentKeys: Readonly<Record<string, Check>> = {
  name: expecting((value) => isText(value) && value.trim() !== '', 'a string that is not blank'),
  url: text,
  on_stop: text,
  action: oneOf(environmentActions),
  auto_stop_in: expecting((value) => isText(value) && isDuration(value), 'a duration'),
  deployment_tier: expecting(
    (value) => isText(value) && (value.includes('$') || environmentTiers.some((tier) => tier === value)),
    `one of: ${environmentTiers.join(', ')}`,
  ),
  kubernetes: entries,
}

/** Variables are expanded when a pipeline is created. */
const isDuration = (value: string) =>
  value.includes('$') || value === 'never' || parseHumanDuration(value) !== undefined

/** The problems of the environment of a job. */
const checkEnvironment = (place: string, environment: unknown): readonly string[] => {
  if (!isEntries(environment)) return environment === '' ? [`${place}:environment name can't be blank`] : []
  return [
    ...checkKeys(`${place}:environment`, environment, environmentKeys),
    ...(Object.hasOwn(environment, 'name') ? [] : [`${place}:environment name can't be blank`]),
  ]
}

/** The problems of a job, apart from those of its relations to other jobs. */
export const checkJob = (name: string, job: Entries): readonly string[] => {
  const place = `jobs:${name}`
  const exclusive = ['only', 'except'].filter((key) => Object.hasOwn(job, key))
  return [
    ...checkKeys(place, job, jobKeys),
    ...checkRules(place, job.rules),
    ...checkEnvironment(place, job.environment),
    ...(Object.hasOwn(job, 'script') || Object.hasOwn(job, 'trigger') || Object.hasOwn(job, 'run')
      ? []
      : [`${place} config should implement a script: or a trigger: keyword`]),
    ...(Object.hasOwn(job, 'rules') && exclusive.length
      ? [`${place} config key may not be used with \`rules\`: ${exclusive.join(', ')}`]
      : []),
    ...(job.when === 'delayed' && !isText(job.start_in) ? [`${place}:start_in should be a duration`] : []),
  ]
}

/** Keys of the file that are not jobs. */
export const rootKeys: Readonly<Record<string, Check>> = {
  default: entries,
  include: anything,
  stages: texts,
  types: texts,
  variables,
  workflow: entries,
  spec: entries,
  image: textOrEntries,
  services: expecting(Array.isArray, 'an array'),
  cache: expecting((value) => isEntries(value) || Array.isArray(value), 'a hash or an array of hashes'),
  before_script: script,
  after_script: script,
}

/** The problems of the keys of the file that are not jobs. */
export const checkRoot = (root: Entries): readonly string[] => {
  const own = Object.entries(root).filter(([key]) => Object.hasOwn(rootKeys, key))
  const problems = own.flatMap(([key, value]) => {
    const problem = value === null ? undefined : rootKeys[key]?.(value)
    return problem === undefined ? [] : [`${key} ${problem}`]
  })
  const { workflow } = root
  if (!isEntries(workflow)) return problems
  const known = { rules: anything, name: text, auto_cancel: entries }
  return [...problems, ...checkKeys('workflow', workflow, known), ...checkRules('workflow', workflow.rules)]
}
