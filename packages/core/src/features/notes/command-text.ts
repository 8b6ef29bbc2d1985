/** What can be asked for by a line of a comment, and every name under which it is known. */
const names = {
  close: 'close',
  reopen: 'reopen',
  assign: 'assign',
  unassign: 'unassign',
  label: 'label',
  labels: 'label',
  unlabel: 'unlabel',
  remove_label: 'unlabel',
  relabel: 'relabel',
  milestone: 'milestone',
  remove_milestone: 'remove_milestone',
  todo: 'todo',
  done: 'done',
  lock: 'lock',
  unlock: 'unlock',
  confidential: 'confidential',
  title: 'title',
  award: 'award',
  react: 'award',
} as const

export type CommandName = (typeof names)[keyof typeof names]

/** One command: `/label ~bug` is `label` with the argument `~bug`. */
export interface GivenCommand {
  readonly name: CommandName
  /** Without blanks around it; empty where nothing follows the name. */
  readonly argument: string
}

/** Further ones stay in the text: each takes a handful of statements, and a body has room for a hundred thousand. */
const mostCommands = 50

/** Whether a line opens a block of code, and with which fence. */
const fenceIn = (line: string): string | undefined => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]

const closes = (line: string, fence: string): boolean => {
  const bare = line.trim()
  return bare.length >= fence.length && bare === (fence[0] as string).repeat(bare.length)
}

/** Where code within a paragraph begins and ends: CommonMark 0.31.2, section 6.1. */
const codeSpans = (paragraph: string): readonly (readonly [number, number])[] => {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: run }) => ({ index, length: run.length }))
  const nextOfLength = new Map<number, number>()
  const next = new Array<number | undefined>(runs.length)
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] as (typeof runs)[number]
    next[at] = nextOfLength.get(length)
    nextOfLength.set(length, at)
  }
  const spans: [number, number][] = []
  for (let at = 0; at < runs.length; at++) {
    const end = next[at]
    if (end === undefined) continue
    spans.push([runs[at]?.index as number, runs[end]?.index as number])
    at = end
  }
  return spans
}

/** For each line of a text whether it stands in code: in a fenced block, or in a span that goes over several lines. */
const inCode = (lines: readonly string[]): readonly boolean[] => {
  const code = new Array<boolean>(lines.length).fill(false)
  let fence: string | undefined
  let first: number | undefined
  const endParagraph = (end: number) => {
    if (first === undefined) return
    const spans = codeSpans(lines.slice(first, end).join('\n'))
    let [start, span] = [0, 0]
    for (let at = first; at < end; at++) {
      while ((spans[span]?.[1] ?? Number.POSITIVE_INFINITY) < start) span++
      code[at] = (spans[span]?.[0] ?? Number.POSITIVE_INFINITY) < start
      start += (lines[at] as string).length + 1
    }
    first = undefined
  }
  lines.forEach((line, at) => {
    if (fence !== undefined) {
      code[at] = true
      if (closes(line, fence)) fence = undefined
      return
    }
    fence = fenceIn(line)
    if (fence !== undefined || line.trim() === '') endParagraph(at)
    else first ??= at
  })
  endParagraph(lines.length)
  return code
}

const commandIn = (line: string): GivenCommand | undefined => {
  const found = /^\/([a-z_]{1,20})(?=\s|$)/i.exec(line)
  const name = found?.[1]?.toLowerCase()
  if (!found || name === undefined || !Object.hasOwn(names, name)) return undefined
  return { name: names[name as keyof typeof names], argument: line.slice(found[0].length).trim() }
}

/**
 * Takes the commands out of a comment: lines of their own that begin with a slash, outside code. A text without any is
 * left as it is, to the blank; what is left of others has no blanks around it.
 */
export const takeCommands = (body: string): { readonly text: string; readonly commands: readonly GivenCommand[] } => {
  if (!body.includes('/')) return { text: body, commands: [] }
  const lines = body.split('\n')
  const code = inCode(lines)
  const commands: GivenCommand[] = []
  const kept = lines.filter((line, at) => {
    const command = code[at] || commands.length >= mostCommands ? undefined : commandIn(line)
    if (command) commands.push(command)
    return command === undefined
  })
  return commands.length ? { text: kept.join('\n').trim(), commands } : { text: body, commands }
}

/** Words of an argument: `~"needs review", ~bug` are `needs review` and `bug`. A sign before a word is left out. */
export const wordsIn = (argument: string, sign: '~' | '@' | '%'): readonly string[] => {
  const words: string[] = []
  let at = 0
  while (at < argument.length) {
    const bare = argument[at] === sign ? at + 1 : at
    const quoteEnd = argument[bare] === '"' ? argument.indexOf('"', bare + 1) : -1
    if (quoteEnd > 0) {
      words.push(argument.slice(bare + 1, quoteEnd))
      at = quoteEnd + 1
      continue
    }
    let end = bare
    while (end < argument.length && !/[\s,]/.test(argument[end] as string)) end++
    if (end > bare) words.push(argument.slice(bare, end))
    at = end + 1
  }
  return words.filter((word) => word !== '')
}
