/** One line that says how far long work has come. */
export interface Progress {
  /** @param total of how many; absent where nobody knows */
  step(text: string, done: number, total?: number): void
  /** Takes the line away; before anything else is said. */
  end(): void
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns'> & { readonly isTTY?: boolean }

/** Between two pictures, in milliseconds: a terminal at the other end of the world bears no more. */
const rest = 100

const shown = (text: string, done: number, total: number | undefined) => {
  const count = done.toLocaleString('en')
  if (total === undefined) return `${text} ${count}`
  const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
  return `${text} ${String(percent).padStart(3)}% (${count} of ${total.toLocaleString('en')})`
}

/**
 * Shows progress to a person at a terminal, on stderr. A pipe, a file and a log get nothing: there it would be noise.
 *
 * @param now milliseconds of a clock that only goes forward
 */
export const openProgress = (
  output: Output = process.stderr,
  now: () => number = () => performance.now(),
): Progress => {
  if (!output.isTTY || process.env.TERM === 'dumb') return { step: () => undefined, end: () => undefined }
  let drawn: number | undefined
  return {
    step(text, done, total) {
      const instant = now()
      // The last step is always shown: a line that ends at 97% makes people wait.
      if (drawn !== undefined && instant - drawn < rest && done !== total) return
      drawn = instant
      const width = Math.max(20, (output.columns || 80) - 1)
      output.write(`\r\u001b[2K${shown(text, done, total).slice(0, width)}`)
    },
    end() {
      if (drawn !== undefined) output.write('\r\u001b[2K')
      drawn = undefined
    },
  }
}
