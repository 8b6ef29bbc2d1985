import { command } from './command.ts'
import { Failure, reasonOf } from './failure.ts'
import { toggle } from './flag.ts'
import { dataFlags, jsonFlag } from './options.ts'
import { openProgress } from './progress.ts'

/** `forgelet repository import <project> <folder>`: gives a project the code of a repository on this machine. */
export const repositoryImportCommand = command({
  name: 'repository import',
  says: 'give a project without code a copy of a git repository on this machine, with all its branches and tags',
  positionals: ['<project>', '<folder>'],
  flags: {
    inPlace: toggle({ says: 'use the repository where it lies instead of copying it; it is never removed' }),
    ...jsonFlag,
    ...dataFlags,
  },
  examples: ['forgelet repository import acme/web ~/code/web', 'forgelet repository import acme/web /srv/git/web.git'],
  async run({ values: { inPlace, json, ...data }, written, positionals }) {
    const [project, path] = positionals as readonly [string, string]
    const { openPlatform } = await import('./open-platform.ts')
    const { isPlatformError } = await import('@forgelet/core')
    const { platform, where } = await openPlatform(data, written)
    const progress = openProgress()
    try {
      const state = await platform.as({ system: 'command line' }).repository.import({
        project,
        path,
        inPlace,
        onProgress: ({ step, bytes, copied }) =>
          step === 'copying' ? progress.step('copying', copied, bytes) : progress.step('reading', bytes, bytes),
      })
      progress.end()
      const { head, defaultBranch, directory } = state
      process.stdout.write(json ? `${JSON.stringify(state, undefined, 2)}\n` : `${head ?? ''}\n`)
      const code = head === null ? 'an empty repository' : `the code of ${path}, default branch ${defaultBranch}`
      process.stderr.write(`${project} has ${code}, in ${directory ?? where}.\n`)
    } catch (error) {
      progress.end()
      throw isPlatformError(error)
        ? new Failure(`${path} cannot become the code of ${project}: ${reasonOf(error)}`)
        : error
    } finally {
      await platform.close()
    }
  },
})
