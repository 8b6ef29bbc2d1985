import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../support/free-port.ts'

/** A `docker-registry` (Debian package) on a free port of this machine. */
export interface RegistryServer {
  readonly url: string
  close(): Promise<void>
}

export interface RegistryServerOptions {
  /** False rejects deletions, the default of the registry. */
  readonly deletion?: boolean
  /** Required credentials. `hash` is the bcrypt hash of the password. */
  readonly user?: { readonly name: string; readonly hash: string }
  /** A free port is the default. */
  readonly port?: number
  /** Settings that the others do not cover, such as `auth` and `notifications`. */
  readonly settings?: object
}

const program = 'docker-registry'

const isInstalled = (name: string, untested: string): boolean => {
  const found = spawnSync(name, ['--version']).status === 0
  if (!found) console.warn(`SKIPPED: ${name} is not installed (apt-get install ${name}); ${untested} NOT tested`)
  return found
}

/** Whether the registry is installed; prints a warning if it is not. */
export const hasRegistryServer = (): boolean => isInstalled(program, 'external registries are')

/** Whether a client of registries is installed; prints a warning if it is not. */
export const hasRegistryClient = (): boolean => isInstalled('skopeo', 'clients of the registry are')

const configuration = (folder: string, port: number, { deletion = true, user, settings }: RegistryServerOptions) =>
  JSON.stringify({
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: deletion } },
    http: { addr: `127.0.0.1:${port}` },
    ...(user && { auth: { htpasswd: { realm: 'tests', path: join(folder, 'users') } } }),
    ...settings,
  })

const waitUntilReady = async (url: string, child: ChildProcess) => {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program} exited with code ${child.exitCode}`)
    try {
      if ((await fetch(`${url}/v2/`)).status < 500) return
    } catch {
      await pause(50)
    }
  }
  throw new Error(`${program} is not ready after 10 s`)
}

export async function registryServer(options: RegistryServerOptions = {}): Promise<RegistryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-registry-'))
  const port = options.port ?? (await findFreePort())
  const settings = join(folder, 'settings.yml')
  await writeFile(settings, configuration(folder, port, options))
  if (options.user) await writeFile(join(folder, 'users'), `${options.user.name}:${options.user.hash}\n`)
  const child = spawn(program, ['serve', settings], {
    stdio: 'ignore',
    env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
  })
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(url, child)
  } catch (error) {
    await close()
    throw error
  }
  return { url, close }
}
