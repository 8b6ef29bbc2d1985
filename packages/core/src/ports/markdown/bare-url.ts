/**
 * Letters, digits, `-` and `_` of any alphabet, in segments between periods. A domain has at most 253 characters
 * (RFC 1035, 2.3.4); the bound also keeps the cost of many invalid domains in one run linear.
 */
const domainRun = /[\p{L}\p{M}\p{N}_.-]{1,255}/uy

/**
 * End of the domain that starts at `from`, or -1 (GFM 6.9): at least one period unless `short`, no underscore in the
 * last two segments. After a scheme, host names without a period are accepted too.
 */
const domainEnd = (text: string, from: number, short: boolean): number => {
  domainRun.lastIndex = from
  const run = domainRun.exec(text)?.[0] ?? ''
  const domain = run.replace(/[._-]+$/, '')
  if (!/^[\p{L}\p{N}]/u.test(domain)) return -1
  const last = domain.lastIndexOf('.')
  if (last < 0 && !short) return -1
  const lastTwo = domain.slice(domain.lastIndexOf('.', last - 1) + 1)
  return lastTwo.includes('_') ? -1 : from + domain.length
}

/** End of the URL without trailing punctuation, unmatched `)` and entity references. */
const trimmedEnd = (text: string, from: number, to: number): number => {
  let end = to
  let unmatched = 0
  for (let at = from; at < to; at++) {
    if (text[at] === ')') unmatched++
    else if (text[at] === '(') unmatched--
  }
  while (end > from) {
    const last = text[end - 1] ?? ''
    if ('?!.,:*_~\'"'.includes(last)) end--
    else if (last === ')' && unmatched > 0) {
      end--
      unmatched--
    } else if (last === ';') {
      let name = end - 1
      while (/[A-Za-z0-9]/.test(text[name - 1] ?? '')) name--
      if (name === end - 1 || text[name - 1] !== '&') return end
      end = name - 1
    } else return end
  }
  return end
}

const pathEnd = (text: string, from: number, limit: number): number => {
  let end = from
  while (end < limit && !/[\s<]/.test(text[end] ?? '')) end++
  return end
}

/**
 * End of the URL, or -1 when it is invalid (GFM 6.9, extended autolink path validation). `from` is the offset of the
 * scheme or `www.`, `domain` that of the domain, `limit` the end of the text.
 */
export const bareUrlEnd = (
  text: string,
  range: { readonly from: number; readonly domain: number; readonly limit: number },
  { short }: { readonly short: boolean },
): number => {
  const end = domainEnd(text, range.domain, short)
  if (end < 0 || end > range.limit) return -1
  return Math.max(end, trimmedEnd(text, range.from, pathEnd(text, end, range.limit)))
}
