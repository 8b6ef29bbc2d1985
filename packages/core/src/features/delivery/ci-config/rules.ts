import { CiConfigError } from './config-error.ts'
import { compileExpression } from './expression.ts'
import { matchesGlob } from './references.ts'
import type { IncludeSource, RepositoryReader } from './repository-reader.ts'
import type { VariableScope } from './variables.ts'
import { type Entries, isEntries } from './yaml.ts'

/** What decides whether a rule matches. */
export interface RuleContext {
  readonly variables: VariableScope
  readonly reader: RepositoryReader
  /** Where `exists` searches unless it names a project. */
  readonly source: IncludeSource
  /** What has the rules, for errors: the name of a job, `workflow` or `include`. */
  readonly place: string
}

/** Whether a key has no value: pipeline files can set null. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null

/** A list of a pipeline file, which can be a single value and, from `!reference`, contain lists. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (isMissing(value)) return []
  return Array.isArray(value) ? value.flat(10) : [value]
}

const failedRule = ({ place }: RuleContext, problem: string) =>
  new CiConfigError(`Failed to parse rule for ${place}: ${problem}`)

const expandPatterns = (patterns: unknown, { variables }: RuleContext): readonly string[] =>
  listOf(patterns).map((pattern) => variables.expand(String(pattern)))

const matchesAny = (patterns: readonly string[], paths: readonly string[]): boolean =>
  patterns.some((pattern) => paths.some((path) => matchesGlob(pattern, path)))

/** Whether one of the patterns of `changes` matches a changed path. */
export const matchesChanges = async (changes: unknown, context: RuleContext): Promise<boolean> => {
  const { paths, compare_to: base }: Entries = isEntries(changes) ? changes : { paths: changes }
  const compareTo = typeof base === 'string' ? context.variables.expand(base) : undefined
  const changed = await context.reader.listChanges(compareTo)
  if (changed === 'missing ref') throw failedRule(context, 'rules:changes:compare_to is not a valid ref')
  return changed === 'all' || matchesAny(expandPatterns(paths, context), changed)
}

const matchesExists = async (exists: unknown, context: RuleContext): Promise<boolean> => {
  const { paths, project, ref }: Entries = isEntries(exists) ? exists : { paths: exists }
  const expand = (value: string) => context.variables.expand(value)
  const named = {
    ...(typeof project === 'string' && { project: expand(project) }),
    ...(typeof ref === 'string' && { ref: expand(ref) }),
  }
  const existing = await context.reader.listPaths(named.project === undefined ? context.source : named)
  if (existing === 'missing project')
    throw failedRule(context, `rules:exists:project \`${named.project}\` not found or access denied`)
  if (existing === 'missing ref')
    throw failedRule(context, `rules:exists:ref \`${named.ref}\` is not a valid ref in project \`${named.project}\``)
  return matchesAny(expandPatterns(paths, context), existing)
}

/** Whether a condition with variables of `rules:if` or `only:variables` is true. */
export const isTrue = (condition: unknown, { variables }: Pick<RuleContext, 'variables'>): boolean =>
  compileExpression(String(condition))(variables.get)

const matchesRule = async (rule: Entries, context: RuleContext): Promise<boolean> =>
  (isMissing(rule.if) || isTrue(rule.if, context)) &&
  (isMissing(rule.changes) || (await matchesChanges(rule.changes, context))) &&
  (isMissing(rule.exists) || (await matchesExists(rule.exists, context)))

/** The first rule that matches; undefined if none does. */
export const findRule = async (rules: unknown, context: RuleContext): Promise<Entries | undefined> => {
  for (const rule of listOf(rules)) if (isEntries(rule) && (await matchesRule(rule, context))) return rule
  return undefined
}
