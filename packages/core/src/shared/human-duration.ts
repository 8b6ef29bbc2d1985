const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Seconds of each unit. A month has 30 days, a year 365.25 days. */
const units = [
  { seconds: 1, spellings: ['s', 'sec', 'secs', 'second', 'seconds'] },
  { seconds: minute, spellings: ['m', 'min', 'mins', 'minute', 'minutes'] },
  { seconds: hour, spellings: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: day, spellings: ['d', 'day', 'days'] },
  { seconds: 7 * day, spellings: ['w', 'wk', 'wks', 'week', 'weeks'] },
  { seconds: 30 * day, spellings: ['mo', 'mos', 'month', 'months'] },
  { seconds: 365.25 * day, spellings: ['y', 'yr', 'yrs', 'year', 'years'] },
]

const secondsPerUnit = new Map(
  units.flatMap(({ seconds, spellings }) => spellings.map((word) => [word, seconds] as const)),
)

/** The units of `1:30` from right to left. There are no weeks. */
const clockUnits = [1, minute, hour, day, 30 * day, 365.25 * day]

const separators: ReadonlySet<string> = new Set([',', 'and'])

const parseClockDuration = (text: string): number | undefined => {
  const parts = text.split(':').reverse()
  if (parts.length > clockUnits.length) return undefined
  let total = 0
  for (const [index, part] of parts.entries()) {
    const digits = part.trim()
    if (!/^[0-9]+$/.test(digits)) return undefined
    total += Number(digits) * (clockUnits[index] ?? Number.NaN)
  }
  return total
}

const parseWordDuration = (text: string): number | undefined => {
  // Every character except whitespace belongs to a token, so that invalid characters are not skipped.
  const tokens = text.match(/[0-9]+(?:\.[0-9]+)?|[a-z]+|\S/g) ?? []
  let total: number | undefined
  let amount: number | undefined
  for (const token of tokens) {
    if (/^[0-9]/.test(token)) {
      if (amount !== undefined) return undefined
      amount = Number(token)
    } else if (secondsPerUnit.has(token)) {
      // A unit without a number is allowed at the start: `month` is one month.
      if (amount === undefined && total !== undefined) return undefined
      total = (total ?? 0) + (amount ?? 1) * (secondsPerUnit.get(token) ?? Number.NaN)
      amount = undefined
    } else if (!separators.has(token) || amount !== undefined) return undefined
  }
  return amount === undefined ? total : (total ?? 0) + amount
}

/**
 * Parses a duration such as `1h`, `2 weeks and 3 days`, `1 hour, 30 min`, `1:30` or `month` to seconds. A number without a unit is
 * allowed at the end and means seconds. Ignores case and whitespace. `undefined` for invalid text.
 */
export const parseHumanDuration = (text: string): number | undefined => {
  const plain = text.trim().toLowerCase()
  const seconds = plain.includes(':') ? parseClockDuration(plain) : parseWordDuration(plain)
  return seconds !== undefined && Number.isFinite(seconds) ? seconds : undefined
}
