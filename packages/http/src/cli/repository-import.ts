import { messageOf } from '../app/error-text.ts'
import { CliError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import type { repositoryImportOptions } from './options.ts'
import { openProgress } from './progress.ts'
import { printJson } from './table.ts'

/** Prints the id of the commit at HEAD. */
export const repositoryImportCommand = async ({
  args,
  options,
}: Invocation<typeof repositoryImportOptions>): Promise<void> => {
  const [project, path] = args as readonly [string, string]
  const { openPlatform } = await import('./open-platform.ts')
  const { isPlatformError } = await import('@forgelet/core')
  const { platform, location } = await openPlatform(options, {}, { existing: true })
  const progress = openProgress()
  try {
    const state = await platform.as({ system: 'command line' }).repository.import({
      project,
      path,
      inPlace: options.inPlace ?? false,
      onProgress: ({ step, bytes, copied }) =>
        step === 'copying' ? progress.step('copying', copied, bytes) : progress.step('reading', bytes, bytes),
    })
    progress.end()
    const { head, defaultBranch, directory } = state
    if (options.json) printJson(state)
    else process.stdout.write(`${head ?? ''}\n`)
    const contents = head === null ? 'an empty repository' : `the code of ${path}, default branch ${defaultBranch}`
    process.stderr.write(`${project} has ${contents}, in ${directory ?? location}.\n`)
  } catch (error) {
    progress.end()
    throw isPlatformError(error)
      ? new CliError(`${path} cannot be imported into ${project}: ${messageOf(error)}`)
      : error
  } finally {
    await platform.close()
  }
}
