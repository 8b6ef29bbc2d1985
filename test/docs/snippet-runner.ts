import { pathToFileURL } from 'node:url'

/**
 * Runs programs one after another in this process, so that the packages are loaded once. The arguments are pairs of a TypeScript
 * file and the folder to run it in. The next program starts when the process could exit (`beforeExit`): a program that leaves
 * something open keeps the process running, as it would do alone. Prints a line of JSON after each program.
 */

export interface SnippetResult {
  readonly printed: string
  /** The error of the program. */
  readonly failure?: string | undefined
}

let printed = ''
const print = process.stdout.write.bind(process.stdout)
process.stdout.write = (chunk: string | Uint8Array) => {
  printed += chunk
  return true
}

let failure: string | undefined
process.on('uncaughtException', (error) => {
  failure ??= error.stack ?? String(error)
})

/** The immediate keeps the process running until the next program starts. */
const nothingIsOpen = () => new Promise<void>((resolve) => process.once('beforeExit', () => setImmediate(resolve)))

/** The errors of the program are uncaught. */
const start = async (file: string, run: number) => {
  // The query makes a file that runs twice a new module.
  await import(`${pathToFileURL(file)}?run=${run}`)
  hasEnded = true
}
let hasEnded = false

const [, , ...programs] = process.argv
for (let at = 0; at < programs.length; at += 2) {
  const [file, folder] = programs.slice(at, at + 2) as [string, string]
  printed = ''
  failure = undefined
  hasEnded = false
  process.chdir(folder)
  void start(file, at)
  await nothingIsOpen()
  if (!hasEnded) failure ??= 'It awaits a promise that nothing settles'
  print(`${JSON.stringify({ printed, failure } satisfies SnippetResult)}\n`)
}
