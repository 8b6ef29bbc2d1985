import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { run } from '../support/run-program.ts'

/** The registry that the rehearsal starts. It is installed on demand: no other command needs its 65 MB. */
const verdaccio = '6.10.4'

const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** Accepts the packages from anyone on this machine, and reads all others from the registry that npm is configured with. */
const createConfig = (storage: string, upstream: string) => `
storage: ${storage}
uplinks: { upstream: { url: '${upstream}', timeout: 60s } }
packages:
  '@forgelet/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: upstream }
log: { type: stdout, format: pretty, level: warn }
web: { enable: false }
`

export interface Registry extends AsyncDisposable {
  readonly url: string
  /** Settings for npm and pnpm that use the registry, and no others of the user. */
  readonly environment: Readonly<Record<string, string>>
}

/** Starts an empty registry on the loopback interface. */
export const startRegistry = async (folder: string): Promise<Registry> => {
  const home = join(folder, 'registry')
  await mkdir(home)
  // The tag `cjs` that Verdaccio depends on is missing in some mirrors.
  const manifest = { private: true, dependencies: { verdaccio }, overrides: { 'node-fetch': '2.7.0' } }
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], home)
  const upstream = await run('npm', ['config', 'get', 'registry'], home)
  await writeFile(join(home, 'config.yaml'), createConfig(join(home, 'storage'), upstream))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/`
  const program = join(home, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const child = spawn(process.execPath, [program, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], {
    cwd: home,
    stdio: 'ignore',
  })
  const isReady = () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let attempt = 0; !(await isReady()); attempt++) {
    if (attempt === 100 || child.exitCode !== null) throw new Error('The registry does not start')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  const settings = join(home, 'settings')
  // npm refuses to publish without a token, even where anyone may.
  await writeFile(settings, `registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\n`)
  return {
    url,
    environment: { NPM_CONFIG_USERCONFIG: settings, NPM_CONFIG_REGISTRY: url, NPM_CONFIG_CACHE: join(home, 'cache') },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await closed
    },
  }
}
