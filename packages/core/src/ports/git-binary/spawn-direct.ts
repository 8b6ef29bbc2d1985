import { spawn } from 'node:child_process'
import { type Child, type Command, complaintBytes, type Ending, type Launcher, portClosed } from './child.ts'

const launch = (command: Command): Child => {
  const child = spawn(command.program, command.arguments, {
    env: command.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const complaints: Buffer[] = []
  let room = complaintBytes
  child.stderr.on('data', (chunk: Buffer) => {
    complaints.push(chunk.subarray(0, room))
    room -= Math.min(room, chunk.length)
  })
  // A process that ends early breaks the pipe; the reason is in its ending.
  child.stdin.on('error', () => undefined)
  child.stdout.on('error', () => undefined)
  if (!command.input) child.stdin.end()
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ code: undefined, complaint: '', failure: error.code ?? 'unknown' })
    })
    child.once('exit', (code) =>
      setImmediate(() => {
        const complaint = Buffer.concat(complaints).toString()
        resolve({ code: code ?? undefined, complaint, failure: undefined })
      }),
    )
  })
  const kill = () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000)
    timer.unref()
    void ended.then(() => clearTimeout(timer))
  }
  const hold = (wanted: boolean) => {
    for (const part of [child, child.stdin, child.stdout, child.stderr]) {
      // Pipes are sockets, though the types of the streams do not say so.
      const holdable = part as unknown as { ref?: () => void; unref?: () => void }
      if (wanted) holdable.ref?.()
      else holdable.unref?.()
    }
  }
  return { output: child.stdout, input: command.input ? child.stdin : undefined, ended, kill, hold }
}

/** Starts processes from this very process. For systems where forking does not copy the process, and for single-file programs. */
export const directLauncher = (): Launcher => {
  const running = new Set<Child>()
  let closed = false
  return {
    start: async () => undefined,
    launch: async (command) => {
      if (closed) throw portClosed()
      const child = launch(command)
      running.add(child)
      void child.ended.then(() => running.delete(child))
      return child
    },
    close: async () => {
      closed = true
      for (const child of running) child.kill()
      await Promise.all([...running].map((child) => child.ended))
    },
  }
}
