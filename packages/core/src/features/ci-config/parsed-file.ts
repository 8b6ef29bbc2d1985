import { type ParsedConfig, parseCiConfig } from './config.ts'
import { CiConfigError } from './config-error.ts'
import type { ReadFile } from './includes.ts'
import { describeJobs } from './lint-result.ts'
import type { FileDescription, FileSummary } from './messages.ts'
import { type PipelineConditions, type Plan, planPipeline } from './plan.ts'
import { formatYaml } from './yaml.ts'

/** A parsed pipeline file, in the thread that has parsed it. */
export interface ParsedFile {
  readonly summary: FileSummary
  /** Throws CiConfigError. */
  plan(conditions: PipelineConditions): Plan
  describe(): FileDescription
}

const summarize = ({ config, errors, warnings, includes }: ParsedConfig): FileSummary => ({
  isValid: config !== undefined,
  errors,
  warnings,
  includes,
  usesPaths: config?.usesPaths ?? false,
})

/** Runs a step. Texts of more than 512 MiB and deep recursion are errors of the file, too. */
const withinLimits = <T>(step: () => T): T => {
  try {
    return step()
  } catch (error) {
    if (error instanceof RangeError) throw new CiConfigError('The parsed YAML is too big')
    throw error
  }
}

export const parseFile = async (
  text: string,
  readFile: ReadFile,
  contextProject: string | null,
): Promise<ParsedFile> => {
  const parsed = await parseCiConfig(text, readFile, contextProject)
  const { config, merged } = parsed
  return {
    summary: summarize(parsed),
    plan(conditions) {
      if (config === undefined) throw new CiConfigError(...parsed.errors)
      return withinLimits(() => planPipeline(config, conditions))
    },
    describe: () =>
      withinLimits(() => ({
        mergedYaml: merged === undefined ? null : formatYaml(merged),
        jobs: config ? describeJobs(config) : [],
      })),
  }
}
