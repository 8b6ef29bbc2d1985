import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether this system tells to the nanosecond how much processor time each thread took. */
export const isCounted = existsSync('/proc/self/schedstat')

/** Seconds of processor time that the threads of a process have taken so far, the kernel's work for them included. */
export const processorSeconds = (pid: number): number => {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
  }
  return nanoseconds / 1e9
}

/** For the machine as a whole Linux counts in hundredths of a second. */
const tick = 0.01

/** Seconds of processor time that all processes together, and neighbours of a virtual machine, have taken so far. */
export const everybodysSeconds = (): number => {
  const [, user, nice, system, , , , , stolen] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
  return (Number(user) + Number(nice) + Number(system) + Number(stolen)) * tick
}
