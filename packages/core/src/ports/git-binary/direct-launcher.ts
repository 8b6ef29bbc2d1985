import { spawn } from 'node:child_process'
import {
  type ChildProcess,
  type Launcher,
  type ProcessExit,
  type ProcessSpec,
  portClosedError,
  stderrBytes,
} from './child-process.ts'

const spawnDirectly = (command: ProcessSpec): ChildProcess => {
  const child = spawn(command.program, command.arguments, {
    env: command.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const stderrChunks: Buffer[] = []
  let remainingBytes = stderrBytes
  child.stderr.on('data', (chunk: Buffer) => {
    stderrChunks.push(chunk.subarray(0, remainingBytes))
    remainingBytes -= Math.min(remainingBytes, chunk.length)
  })
  // A process that ends early breaks the pipe; `exit` has the reason.
  child.stdin.on('error', () => undefined)
  child.stdout.on('error', () => undefined)
  child.stderr.on('error', () => undefined)
  if (!command.hasInput) child.stdin.end()
  const exit = new Promise<ProcessExit>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ code: undefined, stderr: '', errorCode: error.code ?? 'unknown' })
    })
    child.once('exit', (code) =>
      setImmediate(() =>
        resolve({ code: code ?? undefined, stderr: Buffer.concat(stderrChunks).toString(), errorCode: undefined }),
      ),
    )
  })
  const kill = () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000)
    timer.unref()
    void exit.then(() => clearTimeout(timer))
  }
  const setReferenced = (isReferenced: boolean) => {
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      // The streams are sockets, but their types lack `ref` and `unref`.
      const referable = handle as unknown as { ref?: () => void; unref?: () => void }
      if (isReferenced) referable.ref?.()
      else referable.unref?.()
    }
  }
  return { stdout: child.stdout, stdin: command.hasInput ? child.stdin : undefined, exit, kill, setReferenced }
}

/** Starts processes from the host process, for Windows, single-executable applications and other runtimes than Node.js. */
export const createDirectLauncher = (): Launcher => {
  const running = new Set<ChildProcess>()
  let closed = false
  return {
    start: async () => undefined,
    launch: async (command) => {
      if (closed) throw portClosedError()
      const child = spawnDirectly(command)
      running.add(child)
      void child.exit.then(() => running.delete(child))
      return child
    },
    close: async () => {
      closed = true
      for (const child of running) child.kill()
      await Promise.all([...running].map((child) => child.exit))
    },
  }
}
