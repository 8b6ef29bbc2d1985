import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { request } from 'node:http'
import { start } from '../child.ts'
import { token } from '../data-file.ts'
import { median } from '../measure.ts'
import { atMost, type Table } from '../table.ts'
import { progress, world, worldCopy } from '../workplace.ts'

const runs = 7

const answered = (port: number, path: string) =>
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

/** The URL that the command prints when it serves. */
const listening = (child: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /^listening on (\S+)$/m.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('exit', (code) => reject(new Error(`The command ended with ${code}`)))
  })

/** Milliseconds from the start of `forgelet serve` to the end of the first reply. */
const firstReplies = async (): Promise<number[]> => {
  const { listed } = await world()
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const path = await worldCopy('start.db')
    const begin = performance.now()
    const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', path, '--log-level', 'silent'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = new URL(await listening(child))
    const status = await answered(Number(url.port), `/api/v4/projects/${listed[0]}/labels`)
    times.push(performance.now() - begin)
    await new Promise((resolve) => {
      child.removeAllListeners('exit').once('exit', resolve)
      child.kill('SIGTERM')
    })
    if (status !== 200) throw new Error(`The first reply was ${status}`)
  }
  return times
}

/** Milliseconds of the first `fakeForge()` of a process, and of that and a first call, each in processes of their own. */
const firstForges = async (): Promise<{ readonly made: number; readonly asked: number }[]> => {
  const times: { made: number; asked: number }[] = []
  for (let run = 0; run < runs; run++) {
    const child = await start<{ made: number; asked: number }>('first-forge.ts', [], { built: true })
    times.push(child.ready)
    await child.stop()
  }
  return times
}

/** On a data file that is there already, as users run it: built. */
export async function startUp(): Promise<Table[]> {
  progress('building the packages')
  execFileSync('pnpm', ['-r', 'build'], { cwd: root, stdio: 'ignore', shell: true })
  // The first start fills the cache of compiled code; every later one reads it.
  await firstReplies()
  const built = median(await firstReplies())
  const forges = await firstForges()
  const made = median(forges.map((forge) => forge.made))
  return [
    {
      title: 'Start of `forgelet serve` to the first reply on an existing data file, median of 7',
      columns: ['ms'],
      lines: [atMost('as built', [built], built, 300)],
    },
    {
      title: 'Start of a fake forge, as built, median of 7 processes',
      columns: ['ms'],
      lines: [
        atMost('the first fakeForge()', [made], made, 100),
        { what: 'and a first call', figures: [median(forges.map((forge) => forge.asked))] },
      ],
    },
  ]
}
