/** A change of lines that a comment on the diff of a merge request proposes. */
export interface Suggestion {
  /** Unique on the instance. */
  id: number
  /** First line that the change replaces, from 1, in the newest version of the file. */
  fromLine: number
  /** Last line that the change replaces. */
  toLine: number
  /** Whether it can be applied: the merge request is open, and the lines are neither changed since nor equal to the proposal. */
  appliable: boolean
  /** Whether it was applied. */
  applied: boolean
  /** The lines that it replaces, with their line breaks. */
  fromContent: string
  /** The lines that replace them, with line breaks; empty for a removal. */
  toContent: string
}

/** A suggestion in the text of a comment: numbers of lines around the commented one, and the new lines. */
export interface SuggestionBlock {
  readonly above: number
  readonly below: number
  readonly toContent: string
}

/** Lines that a suggestion can contain above and below the commented line: the limit of GitLab. */
const maximumLines = 100

/** Suggestions of one comment that are stored. */
const maximumBlocks = 100

const opening = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const language = /^suggestion(?::-(\d+)\+(\d+))?$/

const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** Whether a line ends a code block: with at least as many of the same characters. */
const isClosing = (line: string, fence: string): boolean => closing.exec(line)?.[1]?.startsWith(fence) ?? false

const toCount = (text = '0') => Math.min(Number(text), maximumLines)

/** Reads the code blocks of a text with the language `suggestion`: https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/ */
export const parseSuggestions = (body: string): readonly SuggestionBlock[] => {
  if (!body.includes('suggestion')) return []
  const blocks: SuggestionBlock[] = []
  const lines = body.split(/\r?\n/)
  for (let at = 0; at < lines.length && blocks.length < maximumBlocks; at++) {
    const [, fence, info = ''] = opening.exec(lines[at] ?? '') ?? []
    if (fence === undefined) continue
    const start = at + 1
    for (at = start; at < lines.length && !isClosing(lines[at] ?? '', fence); ) at++
    const [isSuggestion, above, below] = language.exec(info.trim().split(/\s/, 1)[0] ?? '') ?? []
    if (isSuggestion === undefined) continue
    const toContent = lines.slice(start, at).map((line) => `${line}\n`)
    blocks.push({ above: toCount(above), below: toCount(below), toContent: toContent.join('') })
  }
  return blocks
}
