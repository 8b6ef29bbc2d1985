/** An issue that a text names: its number, and the project where it is another one than the text's own. */
export interface NamedIssue {
  readonly projectPath: string | undefined
  readonly iid: number
}

const keyword = /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?=\S)/gi
const named = /(?:issues? +)?([\w./-]*)#([0-9]{1,9})\b/iy
const between = /(?: *,? +and +| *, *)/iy

/** A text names no more than this many; what comes after is not looked at. */
const mostIssues = 100

const sameIssue = (one: NamedIssue, other: NamedIssue) => one.iid === other.iid && one.projectPath === other.projectPath

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Issues that a text says its merge request closes: `Closes #1, #2 and group/project#3`; each once, in order. */
export function closedIssues(text: string): readonly NamedIssue[] {
  const found: NamedIssue[] = []
  for (const { index, 0: word } of text.matchAll(keyword)) {
    let at = index + word.length
    for (;;) {
      const issue = matchAt(named, text, at)
      if (issue === null) break
      const one = { projectPath: issue[1] || undefined, iid: Number(issue[2]) }
      if (!found.some((other) => sameIssue(one, other))) found.push(one)
      if (found.length === mostIssues) return found
      const next = matchAt(between, text, at + issue[0].length)
      if (next === null) break
      at += issue[0].length + next[0].length
    }
  }
  return found
}

/** Whether a text names the issue of its own project anywhere: `#12`, but not `#123` or `other/project#12`. */
export function mentionsIssue(text: string, iid: number): boolean {
  const name = `#${iid}`
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + name.length] ?? ' '
    if (!/[\w./-]/.test(before) && !/[0-9]/.test(after)) return true
  }
  return false
}
