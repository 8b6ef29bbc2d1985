import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A real registry, Debian's `docker-registry`, on a free port of this machine. */
export interface RegistryServer {
  readonly url: string
  close(): Promise<void>
}

export interface RegistryServerOptions {
  /** False: it refuses to delete anything, as it does by default. */
  readonly deletion?: boolean
  /** It demands this of everybody. `hash` is the bcrypt form of the password. */
  readonly user?: { readonly name: string; readonly hash: string }
}

const program = 'docker-registry'

/** Whether it is installed; says loudly when it is not. */
export const hasRegistryServer = (): boolean => {
  const found = spawnSync(program, ['--version']).status === 0
  if (!found) {
    console.warn(
      `NOT TESTED: ${program} is not installed, so nothing is tried against a real registry (apt-get install ${program})`,
    )
  }
  return found
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const configuration = (folder: string, port: number, { deletion = true, user }: RegistryServerOptions) =>
  JSON.stringify({
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: deletion } },
    http: { addr: `127.0.0.1:${port}` },
    ...(user && { auth: { htpasswd: { realm: 'tests', path: join(folder, 'users') } } }),
  })

const answering = async (url: string, child: ChildProcess) => {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    try {
      if ((await fetch(`${url}/v2/`)).status < 500) return
    } catch {
      await pause(50)
    }
  }
  throw new Error(`${program} does not answer`)
}

export async function registryServer(options: RegistryServerOptions = {}): Promise<RegistryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-registry-'))
  const port = await freePort()
  const settings = join(folder, 'settings.yml')
  await writeFile(settings, configuration(folder, port, options))
  if (options.user) await writeFile(join(folder, 'users'), `${options.user.name}:${options.user.hash}\n`)
  const child = spawn(program, ['serve', settings], {
    stdio: 'ignore',
    env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
  })
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answering(url, child)
  } catch (error) {
    await close()
    throw error
  }
  return { url, close }
}
