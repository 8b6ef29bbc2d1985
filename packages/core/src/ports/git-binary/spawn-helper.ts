import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PlatformError } from '../../kernel/errors.ts'
import { type Child, type Command, cannotStart, complaintBytes, type Ending, type Launcher } from './child.ts'
import { spawnHelperProgram } from './spawn-helper-program.ts'

const tokenLength = 32
const launchTime = 15_000

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

interface Helper {
  /** False once it has ended or the channel to it has closed. */
  alive(): boolean
  send(message: object): void
  disconnect(): void
  readonly expected: Map<string, Expected>
  readonly gone: Promise<void>
  /** Counts running processes the host waits for: only then does the channel keep the host alive. */
  hold(wanted: boolean): void
}

const lost: Ending = { code: undefined, complaint: '', failure: 'helper process ended' }

const unavailable = () => new PlatformError('unavailable', 'The git helper process has ended', { reason: 'helper' })

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

const startHelper = async (): Promise<Helper> => {
  // Mode 0700: nobody else can reach the socket.
  const folder = await mkdtemp(join(socketFolder(), 'forgelet-'))
  const expected = new Map<string, Expected>()
  const server = createServer((socket) => greet(socket, expected))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(join(folder, 'socket'), resolve)
  })
  server.unref()
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', spawnHelperProgram, '--', folder], {
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
      for (const request of expected.values()) request.end(lost)
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
    if (child.connected) child.disconnect()
  }
  return { alive: () => running && child.connected, send, disconnect, expected, gone, hold }
}

const launchThrough = async (helper: Helper, command: Command): Promise<Child> => {
  const token = randomBytes(tokenLength / 2).toString('hex')
  const arrival = Promise.withResolvers<Socket>()
  const ended = Promise.withResolvers<Ending>()
  let running = true
  let abandoned = false
  let holding = false
  const hold = (wanted: boolean) => {
    if (wanted !== holding) helper.hold(wanted)
    holding = wanted
  }
  const abandon = (error: Error) => {
    abandoned = true
    arrival.reject(error)
  }
  const kill = () => {
    if (running) helper.send({ stop: token })
  }
  helper.expected.set(token, {
    arrive: (socket) => (abandoned ? socket.destroy() : arrival.resolve(socket)),
    end: (ending) => {
      running = false
      hold(false)
      ended.resolve(ending)
      // The word that a short process has ended may well be here before its output.
      if (ending === lost) abandon(unavailable())
      else if (ending.failure !== undefined) abandon(cannotStart(ending.failure))
    },
  })
  hold(true)
  const timer = setTimeout(() => {
    kill()
    abandon(unavailable())
  }, launchTime)
  try {
    helper.send({ token, ...command, complaintBytes })
    if (!helper.alive()) abandon(unavailable())
    const socket = await arrival.promise
    // Nobody would tell about the process any more, so its output must not be waited for either.
    void ended.promise.then((ending) => {
      if (ending === lost) socket.destroy()
    })
    return {
      output: socket,
      input: command.input ? socket : undefined,
      ended: ended.promise,
      kill,
      hold: (wanted) => {
        if (running) hold(wanted)
        if (wanted) socket.ref()
        else socket.unref()
      },
    }
  } finally {
    clearTimeout(timer)
    void ended.promise.then(() => helper.expected.delete(token))
  }
}

/**
 * Starts processes through a small Node process that this launcher starts first. Forking copies the page tables of the
 * whole process and stops it meanwhile, tens of milliseconds in a large server; the helper stays small for ever.
 */
export const helperLauncher = (): Launcher => {
  let current: Promise<Helper> | undefined

  const ready = async (): Promise<Helper> => {
    const seen = current
    const helper = await seen?.catch(() => undefined)
    if (helper?.alive()) return helper
    // Of several that found it missing, the first starts it.
    if (current === seen || current === undefined) current = startHelper()
    return current
  }

  return {
    start: async () => {
      await ready()
    },
    launch: async (command) => launchThrough(await ready(), command),
    close: async () => {
      const helper = await current?.catch(() => undefined)
      helper?.disconnect()
      await helper?.gone
    },
  }
}
