import { vi } from 'vitest'
import { main } from '../../packages/http/src/cli/main.ts'

/** Runs the command line in this process, which takes a fraction of the time of a new one. Paths must be absolute. */
export const run = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    }),
  )
  try {
    return { code: await main(args, environment), ...output }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
export const json = async (args: readonly string[], environment?: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await run([...args, '--json'], environment)
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  return JSON.parse(stdout)
}
