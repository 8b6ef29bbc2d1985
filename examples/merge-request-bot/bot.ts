import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Gitlab } from '@gitbeaker/rest'

interface Target {
  /** Base URL: `https://gitlab.example`. */
  readonly host: string
  readonly token: string
  /** Full path. */
  readonly project: string
}

const branch = 'bot/trailing-spaces'
const identity = ['-c', 'user.name=Tidy Bot', '-c', 'user.email=tidy-bot@example.com']

/** The URL of the repository with the token as password. Any user name is accepted with a token. */
const createUrl = ({ host, token, project }: Target) => {
  const url = new URL(`${project}.git`, `${host}/`)
  url.username = 'bot'
  url.password = token
  return url.href
}

/** Removes spaces at the ends of lines in Markdown files. Returns the names of the changed files. */
const tidyFiles = async (folder: string, files: readonly string[]): Promise<string[]> => {
  const changed: string[] = []
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    const tidy = text.replace(/[ \t]+$/gm, '')
    if (tidy === text) continue
    await writeFile(path, tidy)
    changed.push(file)
  }
  return changed
}

/**
 * Removes trailing spaces from the Markdown files of a project: pushes a branch, and opens a merge request unless one is open.
 *
 * @returns the URL of the merge request, or undefined if there is nothing to change
 */
export async function openTidyMergeRequest(target: Target): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tidy-bot-'))
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim()
  try {
    await git('clone', '--quiet', '--depth=1', createUrl(target), '.')
    const targetBranch = await git('branch', '--show-current')
    const changed = await tidyFiles(folder, (await git('ls-files')).split('\n'))
    if (!changed.length) return undefined
    await git('switch', '--quiet', '--create', branch)
    await git(...identity, 'commit', '--quiet', '--all', '--message', 'Remove trailing spaces')
    await git('push', '--quiet', '--force', 'origin', branch)

    const api = new Gitlab({ host: target.host, token: target.token })
    const [open] = await api.MergeRequests.all({ projectId: target.project, sourceBranch: branch, state: 'opened' })
    const description = changed.map((file) => `- \`${file}\``).join('\n')
    const request =
      open ??
      (await api.MergeRequests.create(target.project, branch, targetBranch, 'Remove trailing spaces', { description }))
    return request.web_url
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
