import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** The Node of the workspace, without its other programs and settings. */
export const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_(OPTIONS|PATH|ENV)$|VITEST)/i.test(name)),
  ),
  PATH: `${join(process.execPath, '..')}:${process.env.PATH?.split(':')
    .filter((part) => !part.includes('node_modules'))
    .join(':')}`,
}

/** Runs a program and returns what it prints; its output is part of the error if it fails. */
export const run = async (program: string, args: readonly string[], cwd: string): Promise<string> => {
  try {
    const { stdout } = await execute(program, args, { cwd, env: environment, timeout: 300_000, maxBuffer: 2 ** 26 })
    return stdout.trim()
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? String(error)}`)
  }
}
