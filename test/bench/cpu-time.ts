import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether this system provides the CPU time of each thread in nanoseconds. */
export const hasCpuTimes = existsSync('/proc/self/schedstat')

/** CPU seconds of all threads of a process so far, including kernel time. */
export const cpuSeconds = (pid: number): number => {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])
  }
  return nanoseconds / 1e9
}

/** CPU seconds so far of the running processes with this name. */
export const cpuSecondsOf = (name: string): number => {
  let seconds = 0
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name) seconds += cpuSeconds(Number(pid))
    } catch {
      // The process has ended.
    }
  }
  return seconds
}

/** The unit of `/proc/stat`, in seconds. */
const tick = 0.01

/** CPU seconds of all processes so far, including time stolen by other virtual machines. */
export const totalCpuSeconds = (): number => {
  const [, user, nice, system, , , , , stolen] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
  return (Number(user) + Number(nice) + Number(system) + Number(stolen)) * tick
}
