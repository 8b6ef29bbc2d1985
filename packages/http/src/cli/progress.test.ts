import { describe, expect, it } from 'vitest'
import { openProgress } from './progress.ts'

const terminal = (columns = 80) => {
  const written: string[] = []
  const output = { isTTY: true, columns, write: (text: string) => written.push(text) > 0 }
  return { written, output: output as never }
}

describe('progress', () => {
  it('redraws one line at most ten times per second', () => {
    const { written, output } = terminal()
    let now = 0
    const progress = openProgress(output, () => now)
    for (let done = 0; done <= 1_000; done++) {
      now += 1
      progress.step('copying', done, 1_000)
    }
    expect(written.length).toBeLessThan(13)
    expect(written.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true)
    expect(written[0]).toContain('copying   0% (0 of 1,000)')
    expect(written.at(-1)).toContain('copying 100% (1,000 of 1,000)')
    progress.end()
    expect(written.at(-1)).toBe('\r\u001b[2K')
    const before = written.length
    progress.end()
    expect(written).toHaveLength(before)
  })

  it('fits into a narrow terminal', () => {
    const { written, output } = terminal(30)
    openProgress(output).step('a long text that does not fit at all', 1, 2)
    expect(written[0]?.replace('\r\u001b[2K', '').length).toBeLessThan(30)
  })

  it('shows a count if the total is unknown', () => {
    const { written, output } = terminal()
    openProgress(output).step('seeded', 1_234)
    expect(written[0]).toContain('seeded 1,234')
  })

  it('writes nothing into a pipe', () => {
    const written: string[] = []
    const progress = openProgress({ columns: 80, write: (text: string) => written.push(text) > 0 } as never)
    progress.step('copying', 1, 2)
    progress.end()
    expect(written).toEqual([])
  })
})
