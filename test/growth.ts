/** Milliseconds of the faster of two runs: the first one includes compilation, and other processes only add time. */
const duration = (work: () => unknown): number => {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < 2; run++) {
    const start = performance.now()
    work()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest
}

/** How many times longer four times the input takes: about 4 for linear work, about 16 for quadratic work. */
export const growth = (length: number, work: (length: number) => unknown): number => {
  const once = duration(() => work(length))
  return duration(() => work(4 * length)) / once
}
