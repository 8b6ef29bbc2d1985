/** Functions for elements of the page. Text is only ever set as text. */

export const find = (id) => document.getElementById(id)

export const createElement = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

export const createText = (className, textContent) => createElement('span', { className, textContent })

export const createButton = (textContent, label, work) => {
  const button = createElement('button', { type: 'button', className: 'small', textContent })
  button.setAttribute('aria-label', label)
  runOnClick(button, work)
  return button
}

/** Scrollable elements must be reachable by keyboard. */
export const createCode = (textContent, label) => {
  const code = createElement('pre', { textContent, tabIndex: 0, role: 'region' })
  code.setAttribute('aria-label', label)
  return code
}

export const formatCount = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

export const formatInstant = (instant) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')

let messageTimer

/** Shows a message for 5 seconds; screen readers read it. */
export const announce = (text) => {
  clearTimeout(messageTimer)
  find('message').textContent = text
  messageTimer = setTimeout(() => {
    find('message').textContent = ''
  }, 5_000)
}

/** The nearest place for the focus after the element that had it was removed. */
const findFocusTarget = (section) => section?.querySelector('button:not([disabled]), input')

/** Runs asynchronous work for a click. The button is disabled meanwhile, and errors are announced. */
export function runOnClick(button, work) {
  button.addEventListener('click', async () => {
    const section = button.closest('section')
    button.disabled = true
    try {
      await work()
    } catch (error) {
      announce(error.message)
    } finally {
      button.disabled = false
      if (button.isConnected) button.focus()
      else findFocusTarget(section)?.focus()
    }
  })
}

/** Copies text, or selects it if the browser does not permit that to pages without TLS. */
export const copyText = async (text, description, element) => {
  try {
    await navigator.clipboard.writeText(text)
    announce(`Copied ${description}`)
  } catch {
    getSelection().selectAllChildren(element)
    announce(`Selected ${description}: copy it with the keyboard`)
  }
}

const renderedItems = new Map()

/** Renders a list only after a change, so that the focus is not lost. */
export const renderList = (id, items, createRow) => {
  find(`no-${id}`).hidden = items.length > 0
  find(`${id}-count`).textContent = items.length || ''
  const text = JSON.stringify(items)
  if (renderedItems.get(id) === text) return
  renderedItems.set(id, text)
  const list = find(id)
  const section = list.closest('section')
  const hadFocus = list.contains(document.activeElement)
  list.replaceChildren(...items.map(createRow))
  if (hadFocus) findFocusTarget(section)?.focus()
  // Scrollable elements must be reachable by keyboard.
  list.toggleAttribute('tabindex', false)
  if (list.scrollHeight > list.clientHeight) list.tabIndex = 0
}

/** Asks before data is lost. Resolves to whether to continue. */
export const confirmAction = (question, action) => {
  const dialog = find('confirm')
  find('confirm-title').textContent = question
  find('confirm-action').textContent = action
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === 'confirmed')
  })
}
