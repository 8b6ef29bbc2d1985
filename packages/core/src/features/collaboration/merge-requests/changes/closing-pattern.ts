/** A reference to an issue. `projectPath` is undefined for an issue of the text's own project. */
export interface IssueReference {
  readonly projectPath: string | undefined
  readonly iid: number
}

const closingKeyword =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?=\S)/gi
const issueReference = /(?:issues? +)?([\w./-]*)#([0-9]{1,9})\b/iy
const separator = /(?: *,? +and +| *, *)/iy

/** Further references in a text are ignored. */
const maxIssues = 100

const isSameIssue = (one: IssueReference, other: IssueReference) =>
  one.iid === other.iid && one.projectPath === other.projectPath

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The distinct issues that a text closes, in order of occurrence: `Closes #1, #2 and group/project#3`. */
export function findClosedIssues(text: string): readonly IssueReference[] {
  const references: IssueReference[] = []
  for (const { index, 0: word } of text.matchAll(closingKeyword)) {
    let position = index + word.length
    for (;;) {
      const match = matchAt(issueReference, text, position)
      if (match === null) break
      const reference = { projectPath: match[1] || undefined, iid: Number(match[2]) }
      if (!references.some((other) => isSameIssue(reference, other))) references.push(reference)
      if (references.length === maxIssues) return references
      const next = matchAt(separator, text, position + match[0].length)
      if (next === null) break
      position += match[0].length + next[0].length
    }
  }
  return references
}

/** Matches start at the beginning of a word, so that the effort grows with the length of the text only. */
const mention = /(?<![\w./-])([\w./-]*)#([0-9]{1,9})(?![\w])/g

/** The distinct issues that a text mentions, in order of occurrence, at most 100: `#1` and `group/project#3`. */
export function findMentionedIssues(text: string): readonly IssueReference[] {
  const references: IssueReference[] = []
  for (const [, path, iid] of text.matchAll(mention)) {
    const reference = { projectPath: path || undefined, iid: Number(iid) }
    if (!references.some((other) => isSameIssue(reference, other))) references.push(reference)
    if (references.length === maxIssues) break
  }
  return references
}

/** Whether a text mentions an issue of its own project: `#12`, but not `#123` or `other/project#12`. */
export function mentionsIssue(text: string, iid: number): boolean {
  const reference = `#${iid}`
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + reference.length] ?? ' '
    if (!/[\w./-]/.test(before) && !/[0-9]/.test(after)) return true
  }
  return false
}
