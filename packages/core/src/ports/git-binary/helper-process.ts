import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ending, lost } from './child.ts'
import { helperProgram } from './helper-program.ts'

/** Characters of the token that tells connections apart. */
export const tokenLength = 32
/** Milliseconds until a process must have been started. */
export const launchTime = 15_000

interface Report {
  readonly token: string
  readonly code?: number | null
  readonly complaint?: string
  readonly failure?: string
}

interface Expected {
  readonly arrive: (socket: Socket) => void
  readonly end: (ending: Ending) => void
}

/** A running helper, and what is expected of it. */
export interface Helper {
  /** False once it has ended or the channel to it has closed. */
  alive(): boolean
  send(message: object): void
  disconnect(): void
  readonly expected: Map<string, Expected>
  readonly gone: Promise<void>
  /** Counts running processes the host waits for: only then does the channel keep the host alive. */
  hold(wanted: boolean): void
}

/** The ending of whatever runs when the helper ends. */
export const lostEnding: Ending = { code: undefined, complaint: '', failure: lost }

/** Socket names are at most 104 bytes long on some systems. */
const socketFolder = () => {
  const folder = tmpdir()
  return Buffer.byteLength(folder) > 70 ? '/tmp' : folder
}

/** Reads the token that each connection begins with, then hands the connection over. */
const greet = (socket: Socket, expected: ReadonlyMap<string, Expected>) => {
  const read = () => {
    const token: Buffer | null = socket.read(tokenLength)
    if (token === null) return
    socket.off('readable', read)
    socket.setTimeout(0)
    const request = expected.get(token.toString('latin1'))
    if (request === undefined) socket.destroy()
    else request.arrive(socket)
  }
  // Failures of a connection show as its end; whoever reads it learns the reason from the process.
  socket.on('error', () => undefined)
  socket.setTimeout(launchTime, () => socket.destroy())
  socket.on('readable', read)
}

/** Starts the helper; it is ready for requests at once. */
export const startHelper = async (): Promise<Helper> => {
  // Mode 0700: nobody else can reach the socket.
  const folder = await mkdtemp(join(socketFolder(), 'forgelet-'))
  const expected = new Map<string, Expected>()
  const server = createServer((socket) => greet(socket, expected))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(join(folder, 'socket'), resolve)
  })
  server.unref()
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', helperProgram, '--', folder], {
    cwd: '/',
    // The second makes an Electron host run its copy of Node instead of a second window.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    // A session of its own: an interrupt from the keyboard is for the host to handle.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  child.on('message', (report: Report) => {
    const { code, complaint = '', failure } = report
    expected.get(report.token)?.end({ code: code ?? undefined, complaint, failure })
  })
  let running = true
  const gone = new Promise<void>((resolve) => {
    const finish = () => {
      running = false
      server.close()
      for (const request of expected.values()) request.end(lostEnding)
      rm(folder, { recursive: true, force: true }).then(resolve, () => resolve())
    }
    child.once('exit', finish)
    child.on('error', finish)
  })
  let held = 0
  const hold = (wanted: boolean) => {
    held += wanted ? 1 : -1
    if (wanted && held === 1) child.channel?.ref()
    if (!wanted && held === 0) child.channel?.unref()
  }
  const send = (message: object) => {
    // A channel that has closed is noticed by the exit of the helper, which ends every request.
    if (child.connected) child.send(message, () => undefined)
  }
  const disconnect = () => {
    // Somebody waits for its end now.
    child.ref()
    if (child.connected) child.disconnect()
  }
  return { alive: () => running && child.connected, send, disconnect, expected, gone, hold }
}
