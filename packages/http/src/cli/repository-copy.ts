import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

interface Found {
  /** Below the folder, its parts joined by `/`. */
  readonly path: string
  readonly folder: boolean
}

const filesBelow = async (folder: string, path = ''): Promise<readonly Found[]> => {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error: { code?: string }) => {
    // A folder that git removed meanwhile held nothing any more.
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: Found[] = []
  for (const entry of entries) {
    const own = path === '' ? entry.name : `${path}/${entry.name}`
    // Links lead out of the folder: they are not followed and not copied.
    if (entry.isDirectory()) found.push({ path: own, folder: true }, ...(await filesBelow(folder, own)))
    else if (entry.isFile()) found.push({ path: own, folder: false })
  }
  return found
}

/** References before objects: whatever a copied reference leads to was written before it. Loose ones before packed ones. */
const rank = (path: string) => {
  if (path.includes('/objects/')) return 3
  return path.endsWith('/packed-refs') ? 2 : 1
}

/** What is on its way into a repository and no part of it yet. */
const isTemporary = (path: string) => /(?:^|\/)(?:tmp_[^/]*|[^/]*\.lock)$|\/objects\/(?:tmp_|incoming-)/.test(path)

/**
 * Copies a folder of repositories that may be written meanwhile, so that every reference of the copy has its objects.
 *
 * @returns how many files were copied
 */
export async function copyRepositories(
  source: string,
  target: string,
  progress?: (done: number, total: number) => void,
): Promise<number> {
  await mkdir(target, { recursive: true })
  const copied = new Set<string>()
  let done = 0
  for (const round of [1, 2, 3]) {
    // Read anew for each round: objects come into being while references are copied.
    const found = (await filesBelow(source)).filter(({ path }) => !isTemporary(path))
    const files = found.filter(({ folder }) => !folder)
    if (round === 1)
      for (const { path, folder } of found) if (folder) await mkdir(join(target, path), { recursive: true })
    for (const { path } of files.filter(({ path }) => rank(path) === round && !copied.has(path))) {
      const to = join(target, path)
      await mkdir(join(to, '..'), { recursive: true })
      await copyFile(join(source, path), to, constants.COPYFILE_FICLONE).catch((error: { code?: string }) => {
        if (error.code !== 'ENOENT') throw error
      })
      copied.add(path)
      progress?.(++done, Math.max(done, files.length))
    }
  }
  return done
}

/** The repositories in a folder: whatever has a HEAD and objects. */
export async function repositoriesIn(folder: string): Promise<readonly string[]> {
  const found = await filesBelow(folder)
  const paths = new Set(found.map(({ path }) => path))
  return found
    .filter(({ path, folder: isFolder }) => isFolder && paths.has(`${path}/HEAD`) && paths.has(`${path}/objects`))
    .map(({ path }) => path)
}

const environment = { PATH: process.env.PATH, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }

/** What git finds wrong with a repository: objects that references need and that are not there. Nothing in a sound one. */
export async function repositoryFaults(directory: string): Promise<readonly string[]> {
  const check = ['--git-dir', directory, 'fsck', '--connectivity-only', '--no-dangling', '--no-progress']
  try {
    await execute('git', ['-c', 'safe.directory=*', ...check], { env: environment, maxBuffer: 1 << 20 })
    return []
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    const lines = `${stdout}${stderr}`.split('\n').filter(Boolean)
    return lines.length ? lines.slice(0, 5) : [message]
  }
}
