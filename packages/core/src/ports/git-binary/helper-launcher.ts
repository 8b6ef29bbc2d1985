import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  type ChildProcess,
  helperLost,
  isHelperLost,
  type Launcher,
  type ProcessExit,
  type ProcessSpec,
  portClosedError,
  processStartError,
  stderrBytes,
} from './child-process.ts'
import { type Helper, helperLostExit, launchTimeout, startHelper, tokenLength } from './helper-process.ts'

const launchWithHelper = async (helper: Helper, command: ProcessSpec): Promise<ChildProcess> => {
  const token = randomBytes(tokenLength / 2).toString('hex')
  const connection = Promise.withResolvers<Socket>()
  const exited = Promise.withResolvers<ProcessExit>()
  let running = true
  let failed = false
  let isHelperReferenced = false
  const setHelperReferenced = (isReferenced: boolean) => {
    if (isReferenced !== isHelperReferenced) helper.setReferenced(isReferenced)
    isHelperReferenced = isReferenced
  }
  const fail = (error: Error) => {
    failed = true
    connection.reject(error)
  }
  const kill = () => {
    if (running) helper.send({ stop: token })
  }
  helper.pendingLaunches.set(token, {
    onConnect: (socket) => (failed ? socket.destroy() : connection.resolve(socket)),
    onExit: (exit) => {
      running = false
      setHelperReferenced(false)
      exited.resolve(exit)
      // After a successful start, the exit of a short process may arrive before its connection.
      if (exit.errorCode !== undefined) fail(processStartError(exit.errorCode))
    },
  })
  setHelperReferenced(true)
  const timer = setTimeout(() => {
    kill()
    fail(processStartError(helperLost))
  }, launchTimeout)
  try {
    helper.send({ token, ...command, stderrBytes })
    if (!helper.isAlive()) fail(processStartError(helperLost))
    const socket = await connection.promise
    // Without the helper, the state of the process is unknown: its output must not be awaited.
    void exited.promise.then((exit) => {
      if (exit === helperLostExit) socket.destroy()
    })
    return {
      stdout: socket,
      stdin: command.hasInput ? socket : undefined,
      exit: exited.promise,
      kill,
      setReferenced: (isReferenced) => {
        if (running) setHelperReferenced(isReferenced)
        if (isReferenced) socket.ref()
        else socket.unref()
      },
    }
  } finally {
    clearTimeout(timer)
    void exited.promise.then(() => helper.pendingLaunches.delete(token))
  }
}

/**
 * Starts processes from a small Node.js process. Forking copies the page tables of the forking process and blocks it, for tens
 * of milliseconds in a large server; the helper process stays small.
 */
export const createHelperLauncher = (): Launcher => {
  let current: Promise<Helper> | undefined
  let closed = false

  const getHelper = async (): Promise<Helper> => {
    if (closed) throw portClosedError()
    const previous = current
    const helper = await previous?.catch(() => undefined)
    if (helper?.isAlive()) return helper
    if (closed) throw portClosedError()
    // A concurrent call may have started a new helper already.
    if (current === previous || current === undefined) current = startHelper()
    return current
  }

  return {
    start: async () => {
      await getHelper()
    },
    launch: async (command) => {
      const helper = await getHelper()
      try {
        return await launchWithHelper(helper, command)
      } catch (error) {
        if (closed || helper.isAlive() || !isHelperLost(error)) throw error
        // The helper ended before the process connected, so its command has had no effect.
        return launchWithHelper(await getHelper(), command)
      }
    },
    close: async () => {
      closed = true
      const helper = await current?.catch(() => undefined)
      helper?.disconnect()
      await helper?.exit
    },
  }
}
