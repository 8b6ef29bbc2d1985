import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CliError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import type { openOptions } from './options.ts'

/** In milliseconds. */
const answerTimeout = 5_000

/** The program that opens a URL, and its first arguments. */
const browserCommands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

const isAnswering = async (url: string) => {
  try {
    return (await fetch(new URL('/-/liveness', url), { signal: AbortSignal.timeout(answerTimeout) })).ok
  } catch {
    return false
  }
}

const openInBrowser = async (url: string, browser: string | undefined) => {
  const [program, ...args] = browser === undefined ? (browserCommands[process.platform] ?? ['xdg-open']) : [browser]
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
  } catch {
    throw new CliError(`${program} cannot be started: open ${url} in a browser, or name a program with --browser`)
  }
  child.unref()
}

/** Addresses that mean every interface are no address of a server. */
const reachableHost = (host: string) => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Opens a page of a running server, and prints its URL. */
export const openCommand = async ({ args: [path = ''], options }: Invocation<typeof openOptions>): Promise<void> => {
  const { host, port, baseUrl = `http://${reachableHost(host)}:${port}`, print, browser } = options
  if (!(await isAnswering(baseUrl))) {
    throw new CliError(
      `No server answers at ${baseUrl}: start one with forgelet serve, or name its --port or --base-url`,
    )
  }
  const url = `${baseUrl.replace(/\/$/, '')}/${path.replace(/^\//, '')}`
  process.stdout.write(`${url}\n`)
  if (!print) await openInBrowser(url, browser)
}
