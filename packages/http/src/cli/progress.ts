/** A progress line. */
export interface Progress {
  /** @param total undefined if unknown */
  step(text: string, done: number, total?: number): void
  /** Clears the line; call it before other output. */
  end(): void
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns'> & { readonly isTTY?: boolean }

/** Between two updates, in milliseconds: remote terminals are slow. */
const updateInterval = 100

const format = (text: string, done: number, total: number | undefined) => {
  const count = done.toLocaleString('en')
  if (total === undefined) return `${text} ${count}`
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
  return `${text} ${String(percent).padStart(3)}% (${count} of ${total.toLocaleString('en')})`
}

/**
 * Shows progress on stderr if it is a terminal.
 *
 * @param now milliseconds of a monotonic clock
 */
export const openProgress = (
  output: Output = process.stderr,
  now: () => number = () => performance.now(),
): Progress => {
  if (!output.isTTY || process.env.TERM === 'dumb') return { step: () => undefined, end: () => undefined }
  let updatedAt: number | undefined
  return {
    step(text, done, total) {
      const time = now()
      // The last step is always shown: a line that ends at 97% looks unfinished.
      if (updatedAt !== undefined && time - updatedAt < updateInterval && done !== total) return
      updatedAt = time
      const width = Math.max(20, (output.columns || 80) - 1)
      output.write(`\r\u001b[2K${format(text, done, total).slice(0, width)}`)
    },
    end() {
      if (updatedAt !== undefined) output.write('\r\u001b[2K')
      updatedAt = undefined
    },
  }
}
