import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import type { ConfigBudget } from './budget.ts'
import { locateComponent } from './component.ts'
import { CiConfigError } from './config-error.ts'
import { type GivenInputs, resolveInputs } from './input-spec.ts'
import { interpolate } from './interpolation.ts'
import { checkIncludeRules } from './job-keys.ts'
import { createMerged } from './merge.ts'
import type { IncludeSource, RepositoryReader } from './repository-reader.ts'
import { findRule, listOf } from './rules.ts'
import { createScope, type VariableScope, type Variables } from './variables.ts'
import { type Entries, isEntries, maxFileBytes, parseYaml } from './yaml.ts'

/** A file that a pipeline file includes. */
export interface CiInclude {
  /** `local`: of the same repository. `file`: of another project. `component`: of a component. `artifact`: of a job. */
  type: 'local' | 'file' | 'component' | 'artifact'
  /** Path of the file from the root of its repository, or the address of the component. */
  location: string
  /** Full path of the project whose pipeline file includes it. */
  contextProject: string | null
}

/** Files that a pipeline file and its included files include: as in GitLab. */
const maxIncludes = 150

interface Wanted extends IncludeSource {
  readonly path: string
  /** A path that is read if there is no file at `path`. */
  readonly otherPath?: string
  /** Address of the component. */
  readonly component?: string
  readonly inputs: Entries
}

/** What decides which files are included. */
export interface IncludeContext {
  readonly reader: RepositoryReader
  /** Full path of the project of the pipeline; null for a text without a project. */
  readonly contextProject: string | null
  /** Those that are known before the file is read. */
  readonly variables: Variables
  /** Names of the masked ones among `variables`. */
  readonly masked: readonly string[]
  /** Values for the inputs that the file declares. */
  readonly inputs: Entries
  readonly budget: ConfigBudget
}

const isText = (value: unknown): value is string => typeof value === 'string'

const normalizePath = (path: string) => path.replace(/^\/+/, '')

/** The files that an entry names. `expand` replaces variables. */
const readWanted = (entry: Entries, source: IncludeSource, { expand, get }: VariableScope): readonly Wanted[] => {
  const { local, project, file, ref, component, artifact, job, inputs = {} } = entry
  if (!isEntries(inputs)) throw new CiConfigError('include:inputs should be a hash')
  if (isText(local)) {
    const path = expand(local)
    if (/^https?:\/\//.test(path))
      throw new CiConfigError(`Remote file \`${path}\` is not supported: include a file of a project`)
    return [{ ...source, path: normalizePath(path), inputs }]
  }
  if (isText(project)) {
    const files = Array.isArray(file) ? file : [file]
    if (!files.every(isText)) throw new CiConfigError(`Project \`${project}\` needs a file: add \`file:\``)
    const other = { project: expand(project), ...(isText(ref) && { ref: expand(ref) }) }
    return files.map((path) => ({ path: normalizePath(expand(path)), inputs, ...other }))
  }
  if (isText(component)) {
    const address = expand(component)
    const hosts = [get('CI_SERVER_FQDN'), get('CI_SERVER_HOST')].filter(isText)
    return [{ ...locateComponent(address, hosts), component: address, inputs }]
  }
  if (isText(artifact) && isText(job)) return [{ path: normalizePath(expand(artifact)), job: expand(job), inputs }]
  const kind = ['remote', 'template', 'artifact'].find((name) => Object.hasOwn(entry, name))
  if (kind) throw new CiConfigError(`include:${kind} is not supported: include a local file or a file of a project`)
  throw new CiConfigError('include config needs `local`, `component` or `project` with `file`')
}

/** The paths that match a pattern of `include:local`. `**` matches folders of any depth, and needs no slash beside it. */
const matchWildcards = (pattern: string, paths: readonly string[]): readonly string[] => {
  const source = pattern.replace(/\*\*|\*|[.+?^${}()|[\]\\]/g, (part) =>
    part === '**' ? '.*' : part === '*' ? '[^/]*' : `\\${part}`,
  )
  const compiled = compileNamePattern(source)
  if ('problem' in compiled) throw new CiConfigError(`Local file \`${pattern.slice(0, 100)}\` is not a valid pattern`)
  return paths.filter((path) => compiled.pattern.matches(path)).toSorted()
}

const typeOf = ({ project, component, job }: Wanted): CiInclude['type'] => {
  if (component !== undefined) return 'component'
  if (job !== undefined) return 'artifact'
  return project === undefined ? 'local' : 'file'
}

const missingFile = ({ path, project, component, job }: Wanted) => {
  if (job !== undefined) return `Job \`${job}\` not found in parent pipeline or does not have the artifact \`${path}\`!`
  if (component !== undefined) return `Component '${component.slice(0, 255)}' - content not found`
  return project === undefined
    ? `Local file \`${path}\` does not exist!`
    : `Project \`${project}\` not found or access denied, or file \`${path}\` does not exist! Make sure any includes in the pipeline configuration are correctly defined.`
}

/** The place of an error in an included file. */
const inFile = <T>(path: string, step: () => T): T => {
  try {
    return step()
  } catch (error) {
    if (error instanceof CiConfigError)
      throw new CiConfigError(...error.problems.map((problem) => `\`${path}\`: ${problem}`))
    throw error
  }
}

/** Replaces the inputs of a file, and `include` by the content of the files. The including file wins. */
export const resolveIncludes = async (
  text: string,
  { reader, contextProject, variables, masked, inputs, budget }: IncludeContext,
): Promise<{ readonly root: Entries; readonly includes: readonly CiInclude[] }> => {
  const includes: CiInclude[] = []
  const scope = createScope([variables], budget)
  let bytes = 0

  const parse = (content: string, given: GivenInputs): Entries => {
    const file = parseYaml(content)
    const values = resolveInputs(file.header, given)
    if (file.header === undefined) return file.content
    const isMasked = (name: string) => masked.includes(name)
    return interpolate(file.content, { inputs: values, getVariable: scope.get, isMasked, budget })
  }

  const load = async (wanted: Wanted): Promise<Entries> => {
    if (!/\.ya?ml$/.test(wanted.path))
      throw new CiConfigError(`Included file \`${wanted.path}\` does not have YAML extension!`)
    if (includes.length >= maxIncludes)
      throw new CiConfigError(`Maximum of ${maxIncludes} nested includes are allowed!`)
    const { path, otherPath, component, inputs: given, ...source } = wanted
    includes.push({ type: typeOf(wanted), location: component ?? path, contextProject })
    const own = await reader.readFile(path, source)
    const text = own ?? (otherPath === undefined ? undefined : await reader.readFile(otherPath, source))
    if (text === undefined) throw new CiConfigError(missingFile(wanted))
    bytes += text.length
    if (bytes > maxFileBytes) throw new CiConfigError('The included files are too big')
    return expand(
      inFile(path, () => parse(text, { values: given, areTexts: false })),
      // Files that an artifact includes are in the repository.
      source.job === undefined ? source : {},
    )
  }

  /** Whether the rules of an entry include it. As in GitLab, `exists` searches the repository of the file with the entry. */
  const isIncluded = async ({ rules }: Entries, source: IncludeSource): Promise<boolean> => {
    const problems = checkIncludeRules(rules)
    if (problems.length) throw new CiConfigError(...problems)
    if (listOf(rules).length === 0) return true
    const rule = await findRule(rules, { variables: scope, reader, source, place: 'include' })
    return rule !== undefined && rule.when !== 'never'
  }

  /** The files that an entry includes, with those that match its pattern. */
  const select = async (entry: unknown, source: IncludeSource): Promise<readonly Wanted[]> => {
    const entries = isText(entry) ? { local: entry } : entry
    if (!isEntries(entries)) throw new CiConfigError('include config should be a string, a hash or an array of them')
    if (!(await isIncluded(entries, source))) return []
    const wanted = readWanted(entries, source, scope)
    const [first] = wanted
    if (first === undefined || !isText(entries.local) || !first.path.includes('*')) return wanted
    const paths = await reader.listPaths(source)
    return isText(paths) ? [] : matchWildcards(first.path, paths).map((path) => ({ ...first, path }))
  }

  const expand = async (entries: Entries, source: IncludeSource): Promise<Entries> => {
    const { include, ...own } = entries
    if (include === undefined || include === null) return own
    const merged = createMerged(budget)
    for (const entry of Array.isArray(include) ? include : [include])
      for (const wanted of await select(entry, source)) merged.add(await load(wanted))
    merged.add(own)
    return merged.entries
  }

  return { root: await expand(parse(text, { values: inputs, areTexts: true }), {}), includes }
}
