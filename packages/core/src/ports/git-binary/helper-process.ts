import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helperLost, type ProcessExit } from './child-process.ts'
import { helperProgram } from './helper-program.ts'

/** Characters of the token that identifies a connection. */
export const tokenLength = 32
/** Milliseconds to start a process. */
export const launchTimeout = 15_000

interface ProcessReport {
  readonly token: string
  readonly code?: number | null
  readonly stderr?: string
  readonly errorCode?: string
}

interface PendingLaunch {
  readonly onConnect: (socket: Socket) => void
  readonly onExit: (exit: ProcessExit) => void
}

/** The helper process. */
export interface Helper {
  /** False after its exit or when its IPC channel is closed. */
  isAlive(): boolean
  send(message: object): void
  disconnect(): void
  readonly pendingLaunches: Map<string, PendingLaunch>
  readonly exit: Promise<void>
  /** Increments or decrements the number of processes for which the IPC channel keeps the host process alive. */
  setReferenced(isReferenced: boolean): void
}

/** The exit of all processes that run when the helper ends. */
export const helperLostExit: ProcessExit = { code: undefined, stderr: '', errorCode: helperLost }

/** Some systems limit the path of a socket to 104 bytes. */
const chooseSocketFolder = () => {
  const folder = tmpdir()
  return Buffer.byteLength(folder) > 70 ? '/tmp' : folder
}

/** Reads the token at the start of a connection and passes the connection to its launch. */
const acceptConnection = (socket: Socket, pendingLaunches: ReadonlyMap<string, PendingLaunch>) => {
  const read = () => {
    const token: Buffer | null = socket.read(tokenLength)
    if (token === null) return
    socket.off('readable', read)
    socket.setTimeout(0)
    const pending = pendingLaunches.get(token.toString('latin1'))
    if (pending === undefined) socket.destroy()
    else pending.onConnect(socket)
  }
  // A failed connection ends its stream; the exit of the process has the reason.
  socket.on('error', () => undefined)
  socket.setTimeout(launchTimeout, () => socket.destroy())
  socket.on('readable', read)
}

export const startHelper = async (): Promise<Helper> => {
  // mkdtemp creates the folder with mode 0700, so that other users cannot open the socket.
  const folder = await mkdtemp(join(chooseSocketFolder(), 'forgelet-'))
  const pendingLaunches = new Map<string, PendingLaunch>()
  const server = createServer((socket) => acceptConnection(socket, pendingLaunches))
  await new Promise<void>((resolve, reject) => {
    // Also receives later errors, of a connection that cannot be accepted; its launch then times out.
    server.on('error', reject)
    server.listen(join(folder, 'socket'), resolve)
  })
  server.unref()
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', helperProgram, '--', folder], {
    cwd: '/',
    // In Electron, runs Node.js instead of opening a second window.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    // A separate session, so that Ctrl+C only interrupts the host.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  child.on('message', (report: ProcessReport) => {
    const { token, code, stderr = '', errorCode } = report
    pendingLaunches.get(token)?.onExit({ code: code ?? undefined, stderr, errorCode })
  })
  let running = true
  const exit = new Promise<void>((resolve) => {
    const finish = () => {
      running = false
      server.close()
      for (const pending of pendingLaunches.values()) pending.onExit(helperLostExit)
      rm(folder, { recursive: true, force: true }).then(resolve, () => resolve())
    }
    child.once('exit', finish)
    child.on('error', finish)
  })
  let references = 0
  const setReferenced = (isReferenced: boolean) => {
    references += isReferenced ? 1 : -1
    if (isReferenced && references === 1) child.channel?.ref()
    if (!isReferenced && references === 0) child.channel?.unref()
  }
  const send = (message: object) => {
    // When the channel is closed, the exit of the helper ends every launch.
    if (child.connected) child.send(message, () => undefined)
  }
  const disconnect = () => {
    // The caller awaits `exit`.
    child.ref()
    if (child.connected) child.disconnect()
  }
  return { isAlive: () => running && child.connected, send, disconnect, pendingLaunches, exit, setReferenced }
}
