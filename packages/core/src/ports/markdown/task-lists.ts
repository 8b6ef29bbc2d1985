import type { MarkdownIt, StateCore, Token } from 'markdown-it'

/** Checkbox syntax at the start of an item, followed by white space. */
const box = /^\[([ xX])\](?=\s)/

const checkbox = (state: StateCore, checked: boolean): Token => {
  const token = new state.Token('task_checkbox', 'input', 0)
  token.attrs = checked ? [['checked', '']] : []
  token.attrs.push(['disabled', ''], ['type', 'checkbox'])
  return token
}

const findBoxes = (state: StateCore): void => {
  const { tokens } = state
  const openLists: Token[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open') openLists.push(token)
    else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') openLists.pop()
    const item = tokens[index - 2]
    if (token.type !== 'inline' || item?.type !== 'list_item_open' || tokens[index - 1]?.type !== 'paragraph_open') {
      continue
    }
    const mark = box.exec(token.content)?.[1]
    if (mark === undefined) continue
    token.content = token.content.slice(3)
    token.children = [checkbox(state, mark !== ' ')]
    item.attrSet('class', 'task-list-item')
    openLists.at(-1)?.attrSet('class', 'task-list')
  }
}

/** Renders `[ ]` and `[x]` at the start of list items as disabled checkboxes (GFM 5.3). */
export const withTaskLists = (parser: MarkdownIt): void => {
  parser.core.ruler.before('inline', 'task_lists', findBoxes)
}
