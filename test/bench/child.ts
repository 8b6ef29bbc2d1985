import { type ChildProcess, spawn, spawnSync } from 'node:child_process'

/** A process of its own that answers one message with one message. */
export interface Child {
  readonly pid: number
  ask<Answer>(message: object): Promise<Answer>
  stop(): Promise<void>
}

const canPin = spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

const answerOf = <Answer>(child: ChildProcess, send: () => void) =>
  new Promise<Answer>((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: unknown) => {
      settle()
      resolve(message as Answer)
    }
    const onExit = (code: number | null) => {
      settle()
      reject(new Error(`A process of the benchmark ended with ${code}`))
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
    send()
  })

export interface Placement {
  /** Pinned to this one, where the system can. */
  readonly processor?: number
  /** Runs the packages as they were built, not their sources. */
  readonly built?: boolean
}

/** Starts a program of this folder and waits for its first message. */
export async function start<Ready>(
  program: string,
  given: readonly string[],
  { processor, built = false }: Placement = {},
): Promise<Child & { readonly ready: Ready }> {
  const path = new URL(program, import.meta.url).pathname
  const line = [process.execPath, ...(built ? [] : ['--conditions=source']), path, ...given]
  const [command, ...rest] = canPin && processor !== undefined ? ['taskset', '-c', String(processor), ...line] : line
  // taskset replaces itself by the program, so the process id and the channel stay.
  const child = spawn(command as string, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ready = await answerOf<Ready>(child, () => undefined)
  return {
    pid: child.pid as number,
    ready,
    ask: (message) => answerOf(child, () => child.send(message)),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
