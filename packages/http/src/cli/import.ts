import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { importRecording } from '../recording/import-recording.ts'
import { RecordingError } from '../recording/recording-error.ts'
import { CliError } from './cli-error.ts'
import { fileErrorMessage } from './file-errors.ts'
import type { Invocation } from './invocation.ts'
import type { importOptions } from './options.ts'
import { parseYaml } from './seed-file.ts'
import { formatSeed } from './seed-format.ts'
import { readTextFile } from './text-file.ts'

const assertWritable = (file: string, force: boolean) => {
  if (existsSync(file) && !force) throw new CliError(`${file} exists already: use --force to replace it`)
  if (!existsSync(dirname(file))) throw new CliError(`${file} cannot be created: there is no folder ${dirname(file)}`)
}

/** Cassettes can be YAML; all other recordings are JSON. */
const readRecordingFile = async (file: string): Promise<string | object> => {
  const source = readTextFile(file)
  if (!/\.ya?ml$/i.test(file)) return source
  return parseYaml((await import('yaml')).parseDocument, source, file) as object
}

const importFile = async (file: string, tokens: boolean) => {
  const recording = await readRecordingFile(file)
  try {
    return importRecording(recording, { tokens })
  } catch (error) {
    if (error instanceof RecordingError) throw new CliError(`${file} cannot be imported: ${error.message}`)
    throw error
  }
}

/** Writes recorded responses as a seed, to stdout without a file. */
export const importCommand = async ({
  args: [file = ''],
  options,
}: Invocation<typeof importOptions>): Promise<void> => {
  const { output, tokens = false, force = false, json } = options
  if (output !== undefined) assertWritable(output, force)
  const { seed, skipped } = await importFile(file, tokens)
  const text = await formatSeed(seed, json ?? output?.toLowerCase().endsWith('.json') ?? false)
  if (output === undefined) process.stdout.write(text)
  else {
    try {
      writeFileSync(output, text)
    } catch (error) {
      throw new CliError(`${output} cannot be written: ${fileErrorMessage(error)}`)
    }
    process.stderr.write(`Imported ${file} to ${output}\n`)
  }
  for (const { item, reason } of skipped) process.stderr.write(`not imported: ${item}: ${reason}\n`)
}
