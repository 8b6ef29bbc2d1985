import { expect, it } from 'vitest'
import { createIsoClock } from './clock.ts'

it('formats each time of the clock, also after it was set back', () => {
  let time = Date.UTC(2026, 10, 21, 12)
  const now = createIsoClock({ now: () => time })
  expect(now()).toBe('2026-11-21T12:00:00.000Z')
  expect(now()).toBe('2026-11-21T12:00:00.000Z')
  time += 1
  expect(now()).toBe('2026-11-21T12:00:00.001Z')
  time -= 1_001
  expect(now()).toBe('2026-11-21T11:59:59.000Z')
})
