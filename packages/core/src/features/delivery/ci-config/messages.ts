import type { CiInclude } from './includes.ts'
import type { CiLintJob } from './lint-result.ts'
import type { PipelineConditions, Plan } from './plan.ts'
import type { ChangeList, IncludeSource, PathList } from './repository-reader.ts'

/** What the thread reads of repositories. */
export type Question =
  | { readonly kind: 'readFile'; readonly path: string; readonly source: IncludeSource }
  | { readonly kind: 'listPaths'; readonly source: IncludeSource }
  | { readonly kind: 'listChanges'; readonly compareTo: string | undefined }

/** The reply to a question. */
export type Reply =
  /** The content of a file; undefined if it is missing. */
  | { readonly kind: 'file'; readonly text: string | undefined }
  | { readonly kind: 'paths'; readonly paths: PathList }
  | { readonly kind: 'changes'; readonly changes: ChangeList }

/** A message to the thread that reads and plans pipeline files. */
export type Request =
  | {
      readonly kind: 'parse'
      readonly text: string
      readonly contextProject: string | null
      readonly conditions: PipelineConditions
    }
  | Reply
  | { readonly kind: 'plan' }
  | { readonly kind: 'describe' }

/** What is known of a pipeline file without its rules. */
export interface FileSummary {
  readonly isValid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly includes: readonly CiInclude[]
}

export interface FileDescription {
  /** The file with its included files, as YAML; null if it cannot be read. */
  readonly mergedYaml: string | null
  readonly jobs: CiLintJob[]
}

/** A message of the thread: `ready` once, then one for each request. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'parsed'; readonly summary: FileSummary }
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'described'; readonly description: FileDescription }
  /** `hasNoJobs`: the file is valid, but its rules leave no job. */
  | { readonly kind: 'problems'; readonly problems: readonly string[]; readonly hasNoJobs: boolean }
