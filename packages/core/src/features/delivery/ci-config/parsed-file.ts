import { type ParsedConfig, parseCiConfig } from './config.ts'
import { CiConfigError } from './config-error.ts'
import { describeJobs } from './lint-result.ts'
import type { FileDescription, FileSummary } from './messages.ts'
import { type PipelineConditions, type Plan, planPipeline } from './plan.ts'
import { limitLists, type RepositoryReader } from './repository-reader.ts'
import { formatYaml } from './yaml.ts'

/** A parsed pipeline file, in the thread that has parsed it. */
export interface ParsedFile {
  readonly summary: FileSummary
  /** Throws CiConfigError. */
  plan(): Promise<Plan>
  describe(): Promise<FileDescription>
}

const summarize = ({ config, errors, warnings, includes }: ParsedConfig): FileSummary => ({
  isValid: config !== undefined,
  errors,
  warnings,
  includes,
})

/** Runs a step. Texts of more than 512 MiB and deep recursion are errors of the file, too. */
const withinLimits = async <T>(step: () => T | Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof RangeError) throw new CiConfigError('The parsed YAML is too big')
    throw error
  }
}

interface UnparsedFile {
  readonly text: string
  /** Full path of the project of the file; null for a text without a project. */
  readonly contextProject: string | null
  readonly conditions: PipelineConditions
  readonly reader: RepositoryReader
}

export const parseFile = async ({ text, contextProject, conditions, reader }: UnparsedFile): Promise<ParsedFile> => {
  const limited = limitLists(reader)
  const { variables, masked, inputs } = conditions
  const parsed = await parseCiConfig(text, { contextProject, variables, masked, inputs, reader: limited })
  const { config, merged } = parsed
  return {
    summary: summarize(parsed),
    async plan() {
      if (config === undefined) throw new CiConfigError(...parsed.errors)
      return withinLimits(() => planPipeline(config, conditions, limited))
    },
    describe: () =>
      withinLimits(() => ({
        mergedYaml: merged === undefined ? null : formatYaml(merged),
        jobs: config ? describeJobs(config) : [],
      })),
  }
}
