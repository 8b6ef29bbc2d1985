import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { request } from 'node:http'
import { start } from '../child.ts'
import { token } from '../data-file.ts'
import { median } from '../measure.ts'
import { atMost, type Table } from '../table.ts'
import { copyWorld, progress, world } from '../temporary-files.ts'

const runs = 7

const requestStatus = (port: number, path: string) =>
  new Promise<number>((resolve, reject) => {
    request({ port, path, headers: { 'PRIVATE-TOKEN': token } }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode ?? 0))
    })
      .on('error', reject)
      .end()
  })

const root = new URL('../../../', import.meta.url).pathname
const command = `${root}packages/http/dist/cli.js`

/** The URL that the command prints when it is listening. */
const listeningUrl = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /^listening on (\S+)$/m.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('exit', (code) => reject(new Error(`forgelet serve exited with code ${code}`)))
  })

/** Milliseconds from the start of `forgelet serve` to the end of the first reply. */
const firstReplies = async (): Promise<number[]> => {
  const { listed } = await world()
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const path = await copyWorld('start.db')
    const begin = performance.now()
    const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', path, '--log-level', 'silent'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = new URL(await listeningUrl(child))
    const status = await requestStatus(Number(url.port), `/api/v4/projects/${listed[0]}/labels`)
    times.push(performance.now() - begin)
    await new Promise((resolve) => {
      child.removeAllListeners('exit').once('exit', resolve)
      child.kill('SIGTERM')
    })
    if (status !== 200) throw new Error(`The first reply was ${status}`)
  }
  return times
}

/** Milliseconds until the first `fakeForge()` of a process is open, and until its first call returns; one process per run. */
const firstForges = async (): Promise<{ readonly opened: number; readonly called: number }[]> => {
  const times: { opened: number; called: number }[] = []
  for (let run = 0; run < runs; run++) {
    const child = await start<{ opened: number; called: number }>('first-forge.ts', [], { built: true })
    times.push(child.ready)
    await child.stop()
  }
  return times
}

/** Start times of the built packages with an existing data file. */
export async function startUp(): Promise<Table[]> {
  progress('building the packages')
  execFileSync('pnpm', ['-r', 'build'], { cwd: root, stdio: 'ignore', shell: true })
  // The first start fills the compile cache that later ones read.
  await firstReplies()
  const built = median(await firstReplies())
  const forges = await firstForges()
  const opened = median(forges.map((forge) => forge.opened))
  return [
    {
      title: 'Start of `forgelet serve` until the first reply with an existing data file, median of 7',
      columns: ['ms'],
      lines: [atMost('built', [built], built, 300, { unit: 'ms' })],
    },
    {
      title: 'Start of a fake forge, built, median of 7 processes',
      columns: ['ms'],
      lines: [
        atMost('the first fakeForge()', [opened], opened, 100, { unit: 'ms' }),
        { what: 'including a first call', values: [median(forges.map((forge) => forge.called))] },
      ],
    },
  ]
}
