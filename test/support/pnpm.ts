import { run } from './run-program.ts'

/** Runs pnpm: the one that runs the tests, or else the version of the workspace. */
export const runPnpm = (args: readonly string[], cwd: string): Promise<string> => {
  const path = process.env.npm_execpath
  return path?.includes('pnpm') ? run(path, args, cwd) : run('npx', ['-y', 'pnpm@12', ...args], cwd)
}

/**
 * Installs the dependencies of a manifest. Takes half of the processor time of npm, a fifth if they are in pnpm's store.
 *
 * @param linker `isolated`: packages can load only their declared dependencies; `hoisted`: all packages, like with npm
 */
export const installWithPnpm = (linker: 'isolated' | 'hoisted', cwd: string): Promise<string> => {
  const options = ['--ignore-workspace', '--ignore-scripts', '--prefer-offline', '--no-lockfile']
  return runPnpm(['install', ...options, `--config.node-linker=${linker}`], cwd)
}
