import { defined } from './defined.ts'

const hour = 3_600

/** Seconds of each unit of work: a month has 4 weeks, a week 5 days, a day 8 hours. */
const secondsPerUnit = { mo: 160 * hour, w: 40 * hour, d: 8 * hour, h: hour, m: 60, s: 1 } as const

type Unit = keyof typeof secondsPerUnit

/** The largest duration, in seconds: the range of an integer column. */
const maxSeconds = 2_147_483_647

/** Parses working time such as `3h30m`, `1w 2d` or `-1h` to seconds. Undefined for invalid text and for too large values. */
export const parseWorkDuration = (text: string): number | undefined => {
  const match = /^(-?)((?:[0-9]{1,9}(?:mo|[wdhms]))+)$/.exec(text.replaceAll(/\s/g, ''))
  if (!match) return undefined
  const parts = defined(match[2]).matchAll(/([0-9]+)(mo|[wdhms])/g)
  const seconds = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * secondsPerUnit[unit as Unit], 0)
  if (seconds > maxSeconds) return undefined
  return match[1] === '-' ? -seconds : seconds
}

/** Formats seconds as working time, such as `1w 2d 3h 30m`. Empty for 0. */
export const formatWorkDuration = (seconds: number): string => {
  let rest = Math.abs(seconds)
  const parts: string[] = []
  for (const [unit, size] of Object.entries(secondsPerUnit)) {
    const amount = Math.floor(rest / size)
    if (amount) parts.push(`${amount}${unit}`)
    rest -= amount * size
  }
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`
}
