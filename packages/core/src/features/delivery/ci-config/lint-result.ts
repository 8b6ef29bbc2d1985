import type { CiConfig, CiJob } from './config.ts'
import type { CiInclude } from './includes.ts'
import { isEntries } from './yaml.ts'

/** A job of a checked pipeline file. */
export interface CiLintJob {
  /** Name of the job. */
  name: string
  /** Name of the stage. */
  stage: string
  /** Commands that run before the script. */
  beforeScript: string[]
  /** Commands of the job. */
  script: string[]
  /** Commands that run after the script. */
  afterScript: string[]
  /** Tags of the runners that can execute the job. */
  tagList: string[]
  /** Name of the environment that the job deploys to; null for none. */
  environment: string | null
  /** When the job starts, such as `on_success` or `manual`. */
  when: string
  /** Whether a failure of the job does not make the pipeline fail. */
  allowFailure: boolean
  /** Names of the jobs that the job waits for; null for all jobs of earlier stages. */
  needs: string[] | null
}

/** The result of checking a pipeline file. */
export interface CiLintResult {
  /** Whether the file has no errors. */
  valid: boolean
  /** What is wrong with the file. */
  errors: string[]
  /** What is probably not intended. */
  warnings: string[]
  /** The file with its included files and resolved `extends`, as YAML; null if it cannot be read, omitted unless requested. */
  mergedYaml?: string | null
  /** The included files. */
  includes: CiInclude[]
  /** The jobs; null unless requested. */
  jobs: CiLintJob[] | null
}

const listOf = (value: unknown): string[] => {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flat(10).map(String) : [String(value)]
}

export const describeJobs = ({ jobs, stages }: CiConfig): CiLintJob[] => {
  const positions = new Map(stages.map((stage, at) => [stage, at]))
  const positionOf = ({ stage }: CiJob) => positions.get(stage) ?? -1
  return jobs
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map(({ name, stage, needs, keys }) => {
      const when = typeof keys.when === 'string' ? keys.when : 'on_success'
      const environment = isEntries(keys.environment) ? keys.environment.name : keys.environment
      return {
        name,
        stage,
        beforeScript: listOf(keys.before_script),
        script: listOf(keys.script),
        afterScript: listOf(keys.after_script),
        tagList: listOf(keys.tags),
        environment: typeof environment === 'string' ? environment : null,
        when,
        allowFailure: typeof keys.allow_failure === 'boolean' ? keys.allow_failure : when === 'manual' && !keys.rules,
        needs: needs?.map(({ job }) => job) ?? null,
      }
    })
}
