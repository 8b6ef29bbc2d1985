import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  type Child,
  type Command,
  complaintBytes,
  type Ending,
  type Launcher,
  lost,
  notRun,
  portClosed,
} from './child.ts'
import { type Helper, launchTime, lostEnding, startHelper, tokenLength } from './helper-process.ts'

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
      if (ending.failure !== undefined) abandon(notRun(ending.failure))
    },
  })
  hold(true)
  const timer = setTimeout(() => {
    kill()
    abandon(notRun(lost))
  }, launchTime)
  try {
    helper.send({ token, ...command, complaintBytes })
    if (!helper.alive()) abandon(notRun(lost))
    const socket = await arrival.promise
    // Nobody would tell about the process any more, so its output must not be waited for either.
    void ended.promise.then((ending) => {
      if (ending === lostEnding) socket.destroy()
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
  let closed = false

  const ready = async (): Promise<Helper> => {
    if (closed) throw portClosed()
    const seen = current
    const helper = await seen?.catch(() => undefined)
    if (helper?.alive()) return helper
    // Of several that found it missing, the first starts it.
    if (closed) throw portClosed()
    if (current === seen || current === undefined) current = startHelper()
    return current
  }

  return {
    start: async () => {
      await ready()
    },
    launch: async (command) => launchThrough(await ready(), command),
    close: async () => {
      closed = true
      const helper = await current?.catch(() => undefined)
      helper?.disconnect()
      await helper?.gone
    },
  }
}
