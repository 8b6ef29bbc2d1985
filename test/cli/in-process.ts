import { PassThrough } from 'node:stream'
import { vi } from 'vitest'
import { main } from '../../packages/http/src/cli/main.ts'

const toStdin = (text: string) => new PassThrough().end(text) as unknown as typeof process.stdin

/**
 * Runs the command line in this process, which takes a fraction of the time of a new one. Paths must be absolute.
 *
 * @param input the text of the standard input
 */
export const run = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
) => {
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    }),
  )
  const stdin = input === undefined ? undefined : vi.spyOn(process, 'stdin', 'get').mockReturnValue(toStdin(input))
  try {
    return { code: await main(args, environment), ...output }
  } finally {
    for (const spy of spies) spy.mockRestore()
    stdin?.mockRestore()
  }
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
export const json = async (args: readonly string[], environment?: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await run([...args, '--json'], environment)
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  return JSON.parse(stdout)
}
