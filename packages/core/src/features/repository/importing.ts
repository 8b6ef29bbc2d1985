import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { Git, Repository } from '../../ports/git.ts'

/** How far an import has come. */
export interface ImportProgress {
  readonly step: 'copying' | 'reading' | 'done'
  /** Bytes of the repository that is taken over. */
  readonly bytes: number
  /** Bytes that are in the copy so far: roughly `bytes` in the end, since a copy is packed anew. */
  readonly copied: number
}

const often = 250

/** Bytes of a folder that somebody is writing to. */
const bytesIn = async (directory: string): Promise<number> => {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size),
  )
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** Tells how large a folder has become while `work` fills it. */
export async function watched<T>(directory: string, tell: (bytes: number) => void, work: () => Promise<T>): Promise<T> {
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    tell(await bytesIn(directory))
    looking = false
  }
  const timer = setInterval(() => void look(), often)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** The repository at a path: bare, or the one of a working directory. */
export async function repositoryAtPath(git: Git, path: string): Promise<Repository> {
  if (path.trim() === '') throw invalid({ path: ['is empty'] })
  const absolute = resolve(path)
  for (const directory of [absolute, join(absolute, '.git')]) {
    const repository = git.open(directory)
    if (await repository.exists()) return repository
  }
  throw notFound('Repository')
}
