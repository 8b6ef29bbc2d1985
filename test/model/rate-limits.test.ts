import fc from 'fast-check'
import { expect, test } from 'vitest'
import { consumeRateLimit } from '../../packages/core/src/kernel/rate-limit.ts'
import { propertyRuns } from '../property-runs.ts'
import { emptyStore } from '../world.ts'

const window = 60_000

/** Milliseconds; enough for many runs. */
const timeout = 300_000

/** Time passes, the clock is set back or ahead, or a client sends calls. */
type Step =
  | { readonly kind: 'wait' | 'back' | 'ahead'; readonly milliseconds: number }
  | { readonly kind: 'call'; readonly count: number }

const milliseconds = (max: number) => fc.integer({ min: 1, max })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), count: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: milliseconds(40_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('back' as const),
      milliseconds: fc.oneof(milliseconds(90_000), milliseconds(90_000_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ahead' as const), milliseconds: milliseconds(90_000) }) },
)

test(
  'rate limits hold in real time and block for at most a minute, however the clock moves',
  async () => {
    const limit = 3
    const store = await emptyStore()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const key = `user:${run++}`
        // Time that passes, and what the clock shows.
        let real = 0
        let clock = Date.parse('2026-11-21T10:00:00Z')
        const call = () =>
          store.write(({ db, dialect }) =>
            consumeRateLimit(
              { db, dialect, now: new Date(clock).toISOString() },
              { name: 'model', key, limit, message: 'too many' },
            ),
          )
        const pass = (milliseconds: number) => {
          real += milliseconds
          clock += milliseconds
        }
        /** Real times of the allowed calls since the clock was last set ahead, which lets hits expire early. */
        let allowed: number[] = []
        /** When a rejected call may be repeated, unless the clock is set in between. */
        let retryAt: number | undefined
        for (const step of steps) {
          if (step.kind === 'wait') pass(step.milliseconds)
          else if (step.kind === 'call') {
            for (let count = 0; count < step.count; count++) {
              const { error, state } = await call()
              expect(state).toMatchObject({ limit, name: 'model' })
              expect(state.resetAt).toBeLessThanOrEqual(clock + window)
              if (error) {
                expect(error.retryAfter).toBeGreaterThanOrEqual(1)
                expect(error.retryAfter).toBeLessThanOrEqual(window / 1_000)
                if (retryAt !== undefined) expect(real).toBeLessThan(retryAt)
                retryAt = Math.min(retryAt ?? Number.POSITIVE_INFINITY, real + Number(error.retryAfter) * 1_000)
              } else {
                retryAt = undefined
                allowed.push(real)
                expect(allowed.filter((time) => time > real - window).length).toBeLessThanOrEqual(limit)
              }
            }
          } else {
            clock += step.kind === 'back' ? -step.milliseconds : step.milliseconds
            retryAt = undefined
            if (step.kind === 'ahead') allowed = []
          }
        }
        // However the clock moved: after a rejection, a client that waits as told is served.
        const { error } = await call()
        if (error) {
          pass(Number(error.retryAfter) * 1_000)
          expect((await call()).error).toBeUndefined()
        }
      }),
      propertyRuns(20),
    )
    await store.close()
  },
  timeout,
)
