import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { shareFolder } from '../support/shared-folder.ts'

export const root = join(import.meta.dirname, '..', '..')
export const names = ['core', 'http', 'fixtures'] as const
export type Name = (typeof names)[number]

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

/** pnpm resolves `workspace:` and `catalog:` ranges when packing. */
const pnpm = (args: readonly string[], cwd: string) => {
  const path = process.env.npm_execpath
  return path?.includes('pnpm') ? run(path, args, cwd) : run('npx', ['-y', 'pnpm@12', ...args], cwd)
}

/** Packs the packages as for publishing, once in a run. Returns the path of the packed file of each. */
export const packAll = async (): Promise<(name: Name) => string> => {
  const isBuilt = names.every((name) => existsSync(join(root, 'packages', name, 'dist', 'index.d.ts')))
  if (!isBuilt) throw new Error('The packages are not built: run `pnpm build` first')
  const folder = await shareFolder('packed', async (target) => {
    await mkdir(target)
    // pnpm replaces %s with the name of the package.
    await pnpm(['--filter', './packages/*', 'pack', '--out', join(target, '%s.tgz')], root)
  })
  return (name) => join(folder, `forgelet-${name}.tgz`)
}

/** Installs packages from tarballs and the registry into a new folder. */
export const install = async (cwd: string, packages: readonly string[]) => {
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...packages], cwd)
}

/** A dependency of the workspace with its version, for npm. */
export const versionOf = async (name: string): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string
  }
  return `${name}@${manifest.version}`
}
