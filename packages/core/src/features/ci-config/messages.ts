import type { CiInclude, IncludeSource } from './includes.ts'
import type { CiLintJob } from './lint-result.ts'
import type { PipelineConditions, Plan } from './plan.ts'

/** A message to the thread that reads and plans pipeline files. */
export type Request =
  | { readonly kind: 'parse'; readonly text: string; readonly contextProject: string | null }
  /** The content of a requested file; undefined if it is missing. */
  | { readonly kind: 'file'; readonly text: string | undefined }
  | { readonly kind: 'plan'; readonly conditions: PipelineConditions }
  | { readonly kind: 'describe' }

/** What is known of a pipeline file without its rules. */
export interface FileSummary {
  readonly isValid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly includes: readonly CiInclude[]
  /** Whether a rule has `exists`, which depends on the paths of the commit. */
  readonly usesPaths: boolean
}

export interface FileDescription {
  /** The file with its included files, as YAML; null if it cannot be read. */
  readonly mergedYaml: string | null
  readonly jobs: CiLintJob[]
}

/** A message of the thread: `ready` once, then one for each request. */
export type Answer =
  | { readonly kind: 'ready' }
  /** A file to include. */
  | { readonly kind: 'read'; readonly path: string; readonly source: IncludeSource }
  | { readonly kind: 'parsed'; readonly summary: FileSummary }
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'described'; readonly description: FileDescription }
  /** `hasNoJobs`: the file is valid, but its rules leave no job. */
  | { readonly kind: 'problems'; readonly problems: readonly string[]; readonly hasNoJobs: boolean }
