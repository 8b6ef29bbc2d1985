import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** A child process that answers each message with one message. */
export interface Child {
  readonly pid: number
  request<Answer>(message: object): Promise<Answer>
  stop(): Promise<void>
}

const canPin = spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

const nextMessage = <Answer>(child: ChildProcess, send: () => void) =>
  new Promise<Answer>((resolve, reject) => {
    const removeListeners = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: unknown) => {
      removeListeners()
      resolve(message as Answer)
    }
    const onExit = (code: number | null) => {
      removeListeners()
      reject(new Error(`A benchmark process exited with code ${code}`))
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
    send()
  })

/**
 * Runs work with this process pinned to a core if `taskset` is available: what it does for other machines, such as receiving, must
 * not run on the core of the server.
 */
export async function onProcessor<T>(processor: number, work: () => Promise<T>): Promise<T> {
  const pin = (cores: string) => canPin && spawnSync('taskset', ['-acp', cores, String(process.pid)])
  const all = `0-${availableParallelism() - 1}`
  pin(String(processor))
  try {
    return await work()
  } finally {
    pin(all)
  }
}

export interface Placement {
  /** Pins the process to this core if `taskset` is available. */
  readonly processor?: number
  /** Uses the built packages instead of their sources. */
  readonly built?: boolean
}

/** Starts a program in this folder and waits for its first message. */
export async function start<Ready>(
  program: string,
  args: readonly string[],
  { processor, built = false }: Placement = {},
): Promise<Child & { readonly ready: Ready }> {
  const path = new URL(program, import.meta.url).pathname
  const line = [process.execPath, ...(built ? [] : ['--conditions=source']), path, ...args]
  const [command, ...rest] = canPin && processor !== undefined ? ['taskset', '-c', String(processor), ...line] : line
  // taskset replaces itself with the program, so the process id and the IPC channel remain valid.
  const child = spawn(command as string, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ready = await nextMessage<Ready>(child, () => undefined)
  return {
    pid: child.pid as number,
    ready,
    request: (message) => nextMessage(child, () => child.send(message)),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
