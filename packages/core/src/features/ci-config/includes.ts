import type { ConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { createMerged } from './merge.ts'
import { type Entries, isEntries, maxFileBytes, parseYaml } from './yaml.ts'

/** A file that a pipeline file includes. */
export interface CiInclude {
  /** `local`: of the same repository. `file`: of another project. */
  type: 'local' | 'file'
  /** Path of the file from the root of its repository. */
  location: string
  /** Full path of the project whose pipeline file includes it. */
  contextProject: string | null
}

export interface IncludeSource {
  /** Full path of a project; undefined for the project of the pipeline. */
  readonly project?: string
  /** Branch, tag or SHA; the default branch if omitted. */
  readonly ref?: string
}

/** Reads a file of a repository; undefined if it does not exist or the caller cannot read it. */
export type ReadFile = (path: string, source: IncludeSource) => Promise<string | undefined>

/** Files that a pipeline file and its included files include: as in GitLab. */
const maxIncludes = 150

interface Wanted extends IncludeSource {
  readonly path: string
}

const isText = (value: unknown): value is string => typeof value === 'string'

const normalizePath = (path: string) => path.replace(/^\/+/, '')

const readWanted = (entry: unknown, source: IncludeSource): readonly Wanted[] => {
  if (isText(entry)) {
    if (/^https?:\/\//.test(entry))
      throw new CiConfigError(`Remote file \`${entry}\` is not supported: include a file of a project`)
    return [{ ...source, path: normalizePath(entry) }]
  }
  if (!isEntries(entry)) throw new CiConfigError('include config should be a string, a hash or an array of them')
  const { local, project, file, ref } = entry
  if (isText(local)) return [{ ...source, path: normalizePath(local) }]
  if (isText(project)) {
    const files = Array.isArray(file) ? file : [file]
    if (!files.every(isText)) throw new CiConfigError(`Project \`${project}\` needs a file: add \`file:\``)
    return files.map((path) => ({ path: normalizePath(path), project, ...(isText(ref) && { ref }) }))
  }
  const kind = ['remote', 'template', 'component', 'artifact'].find((name) => Object.hasOwn(entry, name))
  if (kind) throw new CiConfigError(`include:${kind} is not supported: include a local file or a file of a project`)
  throw new CiConfigError('include config needs `local` or `project` with `file`')
}

const missingFile = ({ path, project }: Wanted) =>
  project === undefined
    ? `Local file \`${path}\` does not exist!`
    : `Project \`${project}\` not found or access denied, or file \`${path}\` does not exist! Make sure any includes in the pipeline configuration are correctly defined.`

/** Replaces `include` by the content of the files. The including file wins. Adds the files to `found`. */
export const resolveIncludes = async (
  root: Entries,
  readFile: ReadFile,
  contextProject: string | null,
  budget: ConfigBudget,
): Promise<{ readonly root: Entries; readonly includes: readonly CiInclude[] }> => {
  const includes: CiInclude[] = []
  let bytes = 0

  const load = async (wanted: Wanted): Promise<Entries> => {
    if (!/\.ya?ml$/.test(wanted.path))
      throw new CiConfigError(`Included file \`${wanted.path}\` does not have YAML extension!`)
    if (includes.length >= maxIncludes)
      throw new CiConfigError(`Maximum of ${maxIncludes} nested includes are allowed!`)
    const { path, ...source } = wanted
    includes.push({ type: wanted.project === undefined ? 'local' : 'file', location: path, contextProject })
    const text = await readFile(path, source)
    if (text === undefined) throw new CiConfigError(missingFile(wanted))
    bytes += text.length
    if (bytes > maxFileBytes) throw new CiConfigError('The included files are too big')
    return expand(parseYaml(text), source)
  }

  const expand = async (entries: Entries, source: IncludeSource): Promise<Entries> => {
    const { include, ...own } = entries
    if (include === undefined || include === null) return own
    const merged = createMerged(budget)
    for (const entry of Array.isArray(include) ? include : [include])
      for (const wanted of readWanted(entry, source)) merged.add(await load(wanted))
    merged.add(own)
    return merged.entries
  }

  return { root: await expand(root, {}), includes }
}
