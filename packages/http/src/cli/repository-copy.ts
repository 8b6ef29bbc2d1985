import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

interface Entry {
  /** Relative to the folder, with `/` as separator. */
  readonly path: string
  readonly isFolder: boolean
}

const entriesBelow = async (folder: string, path = ''): Promise<readonly Entry[]> => {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error: { code?: string }) => {
    // Git deletes a folder when it is empty.
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: Entry[] = []
  for (const entry of entries) {
    const child = path === '' ? entry.name : `${path}/${entry.name}`
    // Symbolic links can point outside the folder: they are neither followed nor copied.
    if (entry.isDirectory()) found.push({ path: child, isFolder: true }, ...(await entriesBelow(folder, child)))
    else if (entry.isFile()) found.push({ path: child, isFolder: false })
  }
  return found
}

/** References before objects: the objects of a copied reference were written before it. Loose references before packed ones. */
const roundOf = (path: string) => {
  if (path.includes('/objects/')) return 3
  return path.endsWith('/packed-refs') ? 2 : 1
}

/** Files that git has not moved into the repository yet. */
const isTemporary = (path: string) => /(?:^|\/)(?:tmp_[^/]*|[^/]*\.lock)$|\/objects\/(?:tmp_|incoming-)/.test(path)

/**
 * Copies a folder of repositories while git may write to them, so that every reference of the copy has its objects.
 *
 * @returns the number of copied files
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
    // Listed again for each round: objects are added while references are copied.
    const found = (await entriesBelow(source)).filter(({ path }) => !isTemporary(path))
    const files = found.filter(({ isFolder }) => !isFolder)
    if (round === 1)
      for (const { path, isFolder } of found) if (isFolder) await mkdir(join(target, path), { recursive: true })
    for (const { path } of files.filter(({ path }) => roundOf(path) === round && !copied.has(path))) {
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

/** The repositories in a folder: subfolders with `HEAD` and `objects`. */
export async function repositoriesIn(folder: string): Promise<readonly string[]> {
  const found = await entriesBelow(folder)
  const paths = new Set(found.map(({ path }) => path))
  return found
    .filter(({ path, isFolder }) => isFolder && paths.has(`${path}/HEAD`) && paths.has(`${path}/objects`))
    .map(({ path }) => path)
}

const environment = { PATH: process.env.PATH, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }

/** The objects that references of a repository require and that are missing, as `git fsck` reports them. */
export async function repositoryProblems(directory: string): Promise<readonly string[]> {
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
