import { existsSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const tick = 0.01

/** Whether this system tells how much processor time each process took. */
export const isCounted = existsSync('/proc/self/stat')

/** Seconds of processor time that a process has taken so far, the kernel's work for it included. */
export const processorSeconds = (pid: number): number => {
  // The second field is the command in parentheses and may hold blanks: count from behind it.
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

/** Seconds of processor time that all processes together, and neighbours of a virtual machine, have taken so far. */
const everybodysSeconds = (): number => {
  const [, user, nice, system, , , , , stolen] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
  return (Number(user) + Number(nice) + Number(system) + Number(stolen)) * tick
}

export interface Watched<T> {
  readonly result: T
  /** Seconds of processor time of the watched process. */
  readonly spent: number
  /** Time that processes outside the measurement took, as a share of one processor. */
  readonly foreign: number
}

/** Runs work and tells how much processor time one process spent on it, and how busy strangers were meanwhile. */
export async function watch<T>(pid: number, others: readonly number[], work: () => Promise<T>): Promise<Watched<T>> {
  const ours = () => [pid, process.pid, ...others].reduce((sum, each) => sum + processorSeconds(each), 0)
  const before = { spent: processorSeconds(pid), all: everybodysSeconds(), ours: ours(), at: performance.now() }
  const result = await work()
  const elapsed = (performance.now() - before.at) / 1_000
  const strangers = everybodysSeconds() - before.all - (ours() - before.ours)
  return { result, spent: processorSeconds(pid) - before.spent, foreign: Math.max(0, strangers) / elapsed }
}
