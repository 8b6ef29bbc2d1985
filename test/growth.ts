const threadTime = () => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/**
 * Microseconds of processor time of the fastest run: the first ones include compilation. The elapsed time would depend on the
 * load of the machine.
 */
const shortestDuration = (runs: number, work: () => unknown): number => {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const start = threadTime()
    work()
    shortest = Math.min(shortest, threadTime() - start)
  }
  return shortest
}

/** How many times longer four times the input takes: about 4 for linear work, about 16 for quadratic work. */
export const growth = (length: number, work: (length: number) => unknown): number => {
  const once = shortestDuration(8, () => work(length))
  return shortestDuration(2, () => work(4 * length)) / once
}
